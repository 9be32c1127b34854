// Levels from files: an OBJ or glTF through three.js's loaders, a .sidle as it is.
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { OBJLoader } from "three/addons/loaders/OBJLoader.js";

/** Hands a file's triangles to the simulation. Returns the name under which it opens them; throws a sentence. */
export async function readLevel(simulation, file) {
    const bytes = new Uint8Array(await file.arrayBuffer()),
        ending = file.name.toLowerCase().split(".").at(-1);
    if (bytes.length === 0) {
        throw new Error(`${file.name} is empty`);
    }
    if (ending === "sidle") {
        simulation.writeFile(file.name, bytes);
        return file.name;
    }
    if (!["obj", "gltf", "glb"].includes(ending)) {
        throw new Error(`${file.name}: a level is a .obj, .gltf, .glb or .sidle file`);
    }
    const scene = ending === "obj" ? readObj(simulation, file.name, bytes) : await readGltf(file.name, bytes);
    addScene(simulation, scene, file.name);
    return file.name;
}

function readObj(simulation, name, bytes) {
    const fault = simulation.checkObj(name, bytes);
    if (fault) {
        throw new Error(fault);
    }
    return new OBJLoader().parse(new TextDecoder().decode(bytes));
}

async function readGltf(name, bytes) {
    try {
        return (await new GLTFLoader().parseAsync(bytes.buffer, "")).scene;
    } catch (error) {
        throw new Error(`${name} cannot be read: ${error.message || "it is no glTF"}`);
    }
}

function addScene(simulation, scene, name) {
    const point = new THREE.Vector3();
    let surface = 0,
        count = 0;
    scene.updateMatrixWorld(true);
    scene.traverse((object) => {
        if (!object.isMesh) {
            return;
        }
        const { geometry, matrixWorld } = object,
            { position } = geometry.attributes;
        const order = geometry.index?.array ?? Uint32Array.from({ length: position.count }, (_, i) => i);
        const whole = order.length - (order.length % 3),
            mirrors = matrixWorld.determinant() < 0;
        const corners = new Float32Array(3 * whole);
        for (let i = 0; i < whole; i++) {
            // A node that mirrors turns a triangle inside out.
            const from = mirrors ? i - (i % 3) + 2 - (i % 3) : i;
            point
                .fromBufferAttribute(position, order[from])
                .applyMatrix4(matrixWorld)
                .toArray(corners, 3 * i);
        }
        simulation.addTriangles(corners, surface++);
        count += whole / 3;
    });
    if (count === 0) {
        throw new Error(`${name} holds no triangles`);
    }
}

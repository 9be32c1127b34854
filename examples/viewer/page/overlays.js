// What the library found, drawn over the picture. Each overlay is a toggle.
import * as THREE from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";

const contactColours = ["#e5484d", "#f0b429", "#7c5cd6", "#2f6fde"]; // face, edge, vertex, agent
const packetColours = ["#3b82c4", "#e07b39", "#4c9f70", "#b5519c", "#c7a41b", "#5f6fd0", "#38a3a5", "#d1495b"];
const mostContacts = 3000;

function lineObject(colour, opacity = 1) {
    const lines = new THREE.LineSegments(
        new THREE.BufferGeometry(),
        new THREE.LineBasicMaterial({ color: colour, transparent: opacity < 1, opacity }),
    );
    lines.frustumCulled = false;
    return lines;
}

function setLines(lines, numbers) {
    lines.geometry.dispose();
    lines.geometry = new THREE.BufferGeometry();
    lines.geometry.setAttribute("position", new THREE.BufferAttribute(numbers, 3));
}

function instances(geometry, material, most) {
    const mesh = new THREE.InstancedMesh(geometry, material, most);
    mesh.frustumCulled = false;
    mesh.count = 0;
    return mesh;
}

// A dot at the contact and an arrow along z, the normal.
function contactGeometry() {
    return mergeGeometries([
        new THREE.SphereGeometry(0.065, 10, 8),
        new THREE.CylinderGeometry(0.016, 0.016, 0.62, 6).rotateX(Math.PI / 2).translate(0, 0, 0.31),
        new THREE.ConeGeometry(0.06, 0.18, 10).rotateX(Math.PI / 2).translate(0, 0, 0.7),
    ]);
}

/** The edges of boxes of six numbers as lines. */
function boxLines(boxes) {
    const edges = [0, 1, 1, 3, 3, 2, 2, 0, 4, 5, 5, 7, 7, 6, 6, 4, 0, 4, 1, 5, 2, 6, 3, 7];
    const lines = new Float32Array((boxes.length / 6) * edges.length * 3);
    for (let box = 0, at = 0; box < boxes.length; box += 6) {
        for (const corner of edges) {
            lines[at++] = boxes[box + (corner & 1 ? 3 : 0)];
            lines[at++] = boxes[box + (corner & 2 ? 4 : 1)];
            lines[at++] = boxes[box + (corner & 4 ? 5 : 2)];
        }
    }
    return lines;
}

export class Overlays {
    constructor(view, simulation) {
        this.simulation = simulation;
        this.on = { contacts: false, planes: false, gathered: false, boxes: false, normals: false, trails: false };
        this.boxLevel = 2;
        this.points = instances(contactGeometry(), new THREE.MeshBasicMaterial(), mostContacts);
        this.planes = instances(
            new THREE.CircleGeometry(0.55, 24),
            new THREE.MeshBasicMaterial({
                color: "#2f6fde",
                transparent: true,
                opacity: 0.32,
                side: THREE.DoubleSide,
                depthWrite: false,
            }),
            mostContacts,
        );
        this.gathered = new THREE.Mesh(
            new THREE.BufferGeometry(),
            new THREE.MeshBasicMaterial({
                vertexColors: true,
                transparent: true,
                opacity: 0.6,
                side: THREE.DoubleSide,
                depthWrite: false,
                polygonOffset: true,
                polygonOffsetFactor: -4,
            }),
        );
        this.gatheredEdges = lineObject("#1d2733", 0.8);
        this.boxes = lineObject("#5b3fa8", 0.75);
        this.normals = lineObject("#0f9d70");
        this.trails = lineObject("#c2410c", 0.55);
        this.triangle = new THREE.Mesh(
            new THREE.BufferGeometry(),
            new THREE.MeshBasicMaterial({
                color: "#ff7a1a",
                transparent: true,
                opacity: 0.6,
                side: THREE.DoubleSide,
                depthTest: false,
            }),
        );
        for (const object of [this.gathered, this.triangle]) {
            object.frustumCulled = false;
        }
        this.triangle.renderOrder = 2;
        view.overlays.add(
            this.points,
            this.planes,
            this.gathered,
            this.gatheredEdges,
            this.boxes,
            this.normals,
            this.trails,
            this.triangle,
        );
    }

    /** For a new level. */
    reset(corners) {
        this.corners = corners;
        this.packets = null;
        this.showTriangle(null);
    }

    showTriangle(number) {
        this.triangle.visible = number !== null;
        if (number !== null) {
            this.triangle.geometry.setAttribute(
                "position",
                new THREE.BufferAttribute(this.corners.slice(9 * number, 9 * number + 9), 3),
            );
        }
    }

    /** True if something inside the agents is shown. */
    get looksInside() {
        return this.on.contacts || this.on.planes || this.on.normals;
    }

    /** Draws what is switched on, for a tick. `near`: the place around which boxes are drawn. */
    update(tick, selected, near) {
        const { on, simulation } = this;
        this.points.visible = on.contacts;
        this.planes.visible = on.planes;
        if (on.contacts || on.planes) {
            this.#showContacts(simulation.contacts());
        }
        this.gathered.visible = this.gatheredEdges.visible = on.gathered && selected !== null;
        if (this.gathered.visible) {
            this.#showGathered(selected);
        }
        this.boxes.visible = on.boxes;
        if (on.boxes) {
            setLines(this.boxes, boxLines(simulation.boxes(this.boxLevel, near, this.boxLevel < 3 ? 1e5 : 40)));
        }
        this.normals.visible = on.normals;
        if (on.normals) {
            setLines(this.normals, simulation.normalLines(tick, 1.3));
        }
        this.trails.visible = on.trails;
        if (on.trails) {
            setLines(this.trails, simulation.trailLines(tick, 240, 10, null));
        }
    }

    #showContacts(contacts) {
        const count = Math.min(contacts.length, mostContacts),
            matrix = new THREE.Matrix4(),
            colour = new THREE.Color();
        const at = new THREE.Vector3(),
            normal = new THREE.Vector3(),
            turn = new THREE.Quaternion();
        const one = new THREE.Vector3(1, 1, 1),
            z = new THREE.Vector3(0, 0, 1);
        for (let i = 0; i < count; i++) {
            turn.setFromUnitVectors(z, normal.fromArray(contacts[i].normal));
            matrix.compose(at.fromArray(contacts[i].point), turn, one);
            this.points.setMatrixAt(i, matrix);
            this.planes.setMatrixAt(i, matrix.compose(at.addScaledVector(normal, 0.02), turn, one));
            this.points.setColorAt(i, colour.set(contactColours[contacts[i].feature]));
        }
        for (const mesh of [this.points, this.planes]) {
            mesh.count = count;
            mesh.instanceMatrix.needsUpdate = true;
        }
        if (this.points.instanceColor) {
            this.points.instanceColor.needsUpdate = true;
        }
    }

    // The triangles that the selected agent's next move depends on: a capture lists them. One colour for each packet.
    #showGathered(agent) {
        const text = this.simulation.capture(agent) ?? "";
        const list = [...text.matchAll(/^triangle (\d+) /gm)].map((match) => Number(match[1]));
        this.packets ??= this.simulation.packets();
        this.gatheredCount = list.length;
        const positions = new Float32Array(9 * list.length),
            colours = new Float32Array(9 * list.length);
        const edges = new Float32Array(18 * list.length),
            colour = new THREE.Color();
        list.forEach((triangle, i) => {
            const corners = this.corners.subarray(9 * triangle, 9 * triangle + 9);
            positions.set(corners, 9 * i);
            colour.set(packetColours[this.packets[triangle] % packetColours.length]);
            for (let k = 0; k < 3; k++) {
                colour.toArray(colours, 9 * i + 3 * k);
                edges.set(corners.subarray(3 * k, 3 * k + 3), 18 * i + 6 * k);
                edges.set(corners.subarray(3 * ((k + 1) % 3), 3 * ((k + 1) % 3) + 3), 18 * i + 6 * k + 3);
            }
        });
        this.gathered.geometry.dispose();
        this.gathered.geometry = new THREE.BufferGeometry();
        this.gathered.geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
        this.gathered.geometry.setAttribute("color", new THREE.BufferAttribute(colours, 3));
        setLines(this.gatheredEdges, edges);
    }
}

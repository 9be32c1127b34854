// The picture: light, the level, the crowd, and the agent that a person moves.
import * as THREE from "three";
import { GTAOPass } from "three/addons/postprocessing/GTAOPass.js";
import { EffectComposer } from "three/addons/postprocessing/EffectComposer.js";
import { OutputPass } from "three/addons/postprocessing/OutputPass.js";
import { RenderPass } from "three/addons/postprocessing/RenderPass.js";
import { colourModes, palettes } from "./colours.js";
import { discGeometry, discTexture, levelChunks, personGeometry } from "./shapes.js";

const sky = "#dbe4ea";
const sunDirection = new THREE.Vector3(-0.55, 1, 0.42).normalize();
const shadowReach = 60; // metres around the camera's target

// Whether a processor draws.
function isSoftware() {
    const gl = document.createElement("canvas").getContext("webgl2"),
        info = gl?.getExtension("WEBGL_debug_renderer_info");
    if (!gl) {
        throw new Error("this browser has no WebGL 2");
    }
    const name = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "";
    gl.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|software/i.test(name);
}

export class View {
    /** `antialias`: null leaves it to the renderer: a processor draws twice as fast without. */
    constructor(canvas, antialias = null) {
        this.software = isSoftware();
        antialias ??= !this.software;
        this.renderer = new THREE.WebGLRenderer({ canvas, antialias, powerPreference: "high-performance" });
        const { renderer } = this;
        renderer.setPixelRatio(this.software ? 1 : Math.min(devicePixelRatio, 2));
        renderer.shadowMap.enabled = true;
        renderer.shadowMap.type = THREE.PCFShadowMap;
        renderer.shadowMap.autoUpdate = false;
        renderer.toneMapping = THREE.NeutralToneMapping;
        this.scene = new THREE.Scene();
        this.scene.background = new THREE.Color(sky);
        this.scene.fog = new THREE.Fog(sky, 120, 420);
        this.camera = new THREE.PerspectiveCamera(55, 1, 0.1, 1500);
        this.focus = new THREE.Vector3();
        this.occlusion = !this.software;
        this.#addLight();
        this.level = new THREE.Group();
        this.overlays = new THREE.Group();
        this.scene.add(this.level, this.overlays);
        this.#addAgents();
        this.resize();
    }

    #addLight() {
        this.sun = new THREE.DirectionalLight("#fff1dc", 2.5);
        this.sun.castShadow = true;
        this.sun.shadow.mapSize.set(2048, 2048);
        this.sun.shadow.radius = 3;
        this.sun.shadow.normalBias = 0.06;
        this.sun.shadow.bias = -0.0004;
        Object.assign(this.sun.shadow.camera, {
            left: -shadowReach,
            right: shadowReach,
            top: shadowReach,
            bottom: -shadowReach,
            near: 1,
            far: 400,
        });
        this.scene.add(this.sun, this.sun.target, new THREE.HemisphereLight("#dce9f5", "#8c8378", 1.6));
    }

    #addAgents() {
        this.material = new THREE.MeshLambertMaterial({ vertexColors: true });
        this.discMaterial = new THREE.MeshBasicMaterial({
            map: discTexture(),
            transparent: true,
            depthWrite: false,
            polygonOffset: true,
            polygonOffsetFactor: -2,
        });
        this.instances = [];
        this.player = new THREE.Mesh(
            undefined,
            new THREE.MeshLambertMaterial({ vertexColors: true, color: "#ff7a1a" }),
        );
        this.marker = new THREE.Mesh(
            new THREE.RingGeometry(0.62, 0.78, 40).rotateX(-Math.PI / 2),
            new THREE.MeshBasicMaterial({ color: "#ff7a1a", transparent: true, opacity: 0.9, depthTest: false }),
        );
        this.lift = new THREE.Mesh(
            new THREE.BoxGeometry(3.2, 0.3, 3.2).translate(0, -0.15, 0),
            new THREE.MeshLambertMaterial({ color: "#c98b3a" }),
        );
        for (const mesh of [this.player, this.lift]) {
            mesh.castShadow = mesh.receiveShadow = true;
        }
        this.player.visible = this.marker.visible = this.lift.visible = false;
        this.scene.add(this.player, this.marker, this.lift);
    }

    /** Makes the meshes of a crowd of `count` agents of one shape. */
    setCrowd(count, shape) {
        for (const mesh of this.instances) {
            this.scene.remove(mesh);
            mesh.geometry.dispose();
            mesh.dispose();
        }
        const geometries = [personGeometry(shape, 14, 10), personGeometry(shape, 6, 4), discGeometry(shape.rx * 1.9)];
        this.instances = geometries.map((geometry, detail) => {
            const mesh = new THREE.InstancedMesh(geometry, detail === 2 ? this.discMaterial : this.material, count);
            mesh.frustumCulled = false;
            mesh.castShadow = detail < 2;
            mesh.receiveShadow = detail === 0;
            mesh.count = 0;
            if (detail < 2) {
                mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * count), 3);
                mesh.instanceColor.setUsage(THREE.DynamicDrawUsage);
            }
            mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
            this.scene.add(mesh);
            return mesh;
        });
    }

    /** Shows a level: { corners, surfaces, count }, and the colour of each surface as a function. A closed level shows fronts alone,
     * so that one sees into its rooms from above. */
    setLevel(triangles, colourOf, isClosed) {
        for (const mesh of this.level.children) {
            mesh.geometry.dispose();
        }
        this.level.clear();
        this.bounds = new THREE.Box3();
        const material = new THREE.MeshLambertMaterial({
            vertexColors: true,
            side: isClosed ? THREE.FrontSide : THREE.DoubleSide,
            shadowSide: THREE.FrontSide,
        });
        for (const geometry of levelChunks(triangles, colourOf)) {
            const mesh = new THREE.Mesh(geometry, material);
            mesh.castShadow = mesh.receiveShadow = true;
            mesh.matrixAutoUpdate = false;
            geometry.computeBoundingBox();
            geometry.computeBoundingSphere();
            this.bounds.union(geometry.boundingBox);
            this.level.add(mesh);
        }
        this.shadowsAreOld = true;
    }

    setPlayerShape(shape) {
        this.player.geometry?.dispose();
        this.player.geometry = personGeometry(shape, 24, 16);
    }

    resize() {
        const { clientWidth: width, clientHeight: height } = this.renderer.domElement.parentElement;
        this.renderer.setSize(width, height, false);
        this.camera.aspect = width / Math.max(height, 1);
        this.camera.updateProjectionMatrix();
        this.composer = null;
    }

    // The frustum's planes, the camera and the distances, as View in module/draw.c has them.
    #viewNumbers() {
        const { camera } = this;
        camera.updateMatrixWorld();
        const frustum = new THREE.Frustum().setFromProjectionMatrix(
            new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
        );
        const planes = frustum.planes.flatMap((plane) => [...plane.normal.toArray(), plane.constant]);
        return [...planes, ...camera.position.toArray(), this.software ? 30 : 70, 500];
    }

    /** Places the crowd as it was after a number of ticks. */
    showCrowd(simulation, tick, colourMode) {
        const palette = palettes[colourMode];
        simulation.draw(tick, this.#viewNumbers(), colourModes.indexOf(colourMode)).forEach((list, detail) => {
            const mesh = this.instances[detail];
            mesh.count = list.count;
            mesh.instanceMatrix.array.set(list.matrices);
            mesh.instanceMatrix.needsUpdate = true;
            if (mesh.instanceColor) {
                const { array } = mesh.instanceColor;
                list.colours.forEach((colour, i) => array.set(palette[colour], 3 * i));
                mesh.instanceColor.needsUpdate = true;
            }
        });
    }

    /** Places the taken agent, the ring around the selected one and the lift. */
    showThings({ player, selected, lift }) {
        this.player.visible = Boolean(player) && !this.hidesPlayer;
        if (player) {
            this.player.position.set(player.x, player.y - player.stepOffset, player.z);
            this.player.rotation.y = player.heading;
        }
        this.marker.visible = Boolean(selected);
        if (selected) {
            this.marker.position.set(
                selected.x,
                selected.y - selected.stepOffset - selected.ry - selected.halfHeight + 0.04,
                selected.z,
            );
        }
        this.lift.visible = lift !== null;
        if (lift) {
            this.lift.position.set(...lift);
        }
    }

    // The shadow's map follows the camera's target in whole steps, so that its edges do not crawl.
    #aimSun() {
        const step = 8,
            at = this.focus.clone().divideScalar(step).round().multiplyScalar(step);
        const moved = !this.sunAt?.equals(at);
        if (moved) {
            this.sunAt = at;
            this.sun.target.position.copy(at);
            this.sun.position.copy(at).addScaledVector(sunDirection, 200);
            this.sun.updateMatrixWorld();
            this.sun.target.updateMatrixWorld();
        }
        return moved;
    }

    /** Draws. With a software renderer the shadows of agents are discs, and the map holds the level alone. */
    draw({ allShadows = !this.software, looksInside = false } = {}) {
        for (const material of [this.material, this.player.material]) {
            material.needsUpdate = material.transparent !== looksInside;
            Object.assign(material, {
                transparent: looksInside,
                opacity: looksInside ? 0.4 : 1,
                depthWrite: !looksInside,
            });
        }
        const discs = this.instances[2];
        const moved = this.#aimSun();
        for (const mesh of this.instances.slice(0, 2)) {
            mesh.castShadow = allShadows;
        }
        if (discs) {
            discs.visible = !allShadows;
        }
        this.renderer.shadowMap.needsUpdate =
            moved || allShadows || this.shadowsAreOld || this.hadAllShadows !== allShadows;
        this.shadowsAreOld = false;
        this.hadAllShadows = allShadows;
        if (this.occlusion) {
            this.#composed().render();
        } else {
            this.renderer.render(this.scene, this.camera);
        }
    }

    #composed() {
        if (!this.composer) {
            const size = this.renderer.getDrawingBufferSize(new THREE.Vector2());
            const target = new THREE.WebGLRenderTarget(size.x, size.y, { type: THREE.HalfFloatType, samples: 4 });
            this.composer = new EffectComposer(this.renderer, target);
            const occlusion = new GTAOPass(this.scene, this.camera, size.x, size.y);
            occlusion.updateGtaoMaterial({ radius: 1.6, distanceExponent: 1.4, thickness: 2, scale: 1.1, samples: 16 });
            occlusion.blendIntensity = 0.9;
            this.#hideFrom(occlusion);
            this.composer.addPass(new RenderPass(this.scene, this.camera));
            this.composer.addPass(occlusion);
            this.composer.addPass(new OutputPass());
        }
        return this.composer;
    }

    // What is not solid darkens nothing.
    #hideFrom(pass) {
        const render = pass.render.bind(pass);
        pass.render = (...args) => {
            const shown = [
                this.overlays,
                this.marker,
                ...this.instances.filter((mesh) => mesh.material.transparent),
            ].filter((object) => object.visible);
            shown.forEach((object) => (object.visible = false));
            render(...args);
            shown.forEach((object) => (object.visible = true));
        };
    }

    /** Waits until the graphics card has drawn. */
    finish() {
        const gl = this.renderer.getContext();
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    }

    /** The inverse of projection times view, column after column, in double. */
    inverseMatrix() {
        this.camera.updateMatrixWorld();
        return new THREE.Matrix4().multiplyMatrices(this.camera.matrixWorld, this.camera.projectionMatrixInverse)
            .elements;
    }

    /** Where a point is on the canvas, in CSS pixels from its corner. */
    project(x, y, z) {
        const { clientWidth, clientHeight } = this.renderer.domElement;
        this.camera.updateMatrixWorld();
        const p = new THREE.Vector3(x, y, z).project(this.camera);
        return { x: ((p.x + 1) / 2) * clientWidth, y: ((1 - p.y) / 2) * clientHeight, inFront: p.z < 1 };
    }
}

// Pairs of shapes of sidle/intersect.h. The second of each pair can be dragged; the library answers after each change.
import * as THREE from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import { Simulation } from "./module.js";
import { $, showMessage } from "./panel.js";
import { View } from "./view.js";

const fixed = "#8fa3b5",
    dragged = "#e8945a",
    hit = "#d84339",
    normalColour = "#2f6fde",
    pointColour = "#d81b60";

// In the order of PairKind in module/pairs.c. `size` as in its PairShape; `at`: of the second shape, relative to the first.
const triangle = [-1.3, 0, -0.9, 1.3, 0, -0.9, 0, 0, 1.3];
const pairs = [
    { name: "sphere, sphere", a: ["sphere", [1]], b: ["sphere", [0.7]], at: [1.2, 0.5, 0.2] },
    { name: "box, sphere", a: ["box", [1, 0.7, 0.8]], b: ["sphere", [0.7]], at: [0.9, 0.9, 0.4], turn: [0, 0.4, 0] },
    {
        name: "box, box",
        a: ["box", [1, 0.6, 1]],
        b: ["box", [0.7, 0.5, 0.5]],
        at: [0.4, 0.9, 0.3],
        turn: [0.2, 0.6, 0.4],
    },
    {
        name: "box, triangle",
        a: ["box", [0.8, 0.7, 0.8]],
        b: ["triangle", triangle],
        at: [0.5, 0.6, 0.3],
        turn: [0.3, 0.2, 0.5],
    },
    { name: "plane, sphere", a: ["plane", [1.6]], b: ["sphere", [0.8]], at: [0.1, 0.5, 0.1] },
    {
        name: "capsule, ray",
        a: ["capsule", [0.6, 0.7]],
        b: ["ray", [0, 1.7]],
        at: [0.5, 0.5, 0.9],
        turn: [-1.1, 0.4, 0.5],
    },
    {
        name: "triangle, ray",
        a: ["triangle", triangle],
        b: ["ray", [0, 1.5]],
        at: [0.1, 0.4, 0.2],
        turn: [0.5, 0.2, Math.PI - 0.4],
    },
    {
        name: "segment, segment",
        a: ["segment", [0, 1.3]],
        b: ["segment", [0, 1.1]],
        at: [0.8, 0.3, 0.5],
        turn: [0.7, 0.3, 1.1],
    },
];

const bar = (length, tip) =>
    mergeGeometries([
        new THREE.CylinderGeometry(0.045, 0.045, 2 * length, 10),
        tip
            ? new THREE.ConeGeometry(0.13, 0.3, 14).translate(0, length - 0.15, 0)
            : new THREE.SphereGeometry(0.045, 10, 8).translate(0, length, 0),
    ]);

const geometries = {
    sphere: ([radius]) => new THREE.SphereGeometry(radius, 40, 28),
    box: ([x, y, z]) => new THREE.BoxGeometry(2 * x, 2 * y, 2 * z),
    capsule: ([radius, half]) => new THREE.CapsuleGeometry(radius, 2 * half, 14, 32),
    plane: ([half]) => new THREE.BoxGeometry(2 * half, 0.02, 2 * half).translate(0, -0.01, 0),
    ray: ([, half]) => bar(half, true),
    segment: ([, half]) => bar(half, false),
    triangle: (corners) => {
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
        geometry.computeVertexNormals();
        return geometry;
    },
};

function meshOf([kind, size], colour) {
    const isThin = kind === "ray" || kind === "segment";
    const material = new THREE.MeshLambertMaterial({
        color: colour,
        transparent: !isThin,
        opacity: isThin ? 1 : 0.62,
        depthWrite: isThin,
        side: THREE.DoubleSide,
    });
    const mesh = new THREE.Mesh(geometries[kind](size), material);
    mesh.castShadow = true;
    mesh.userData.size = size;
    return mesh;
}

class Pairs {
    async start() {
        this.simulation = await Simulation.load({ threads: false });
        this.view = new View($("canvas"), true);
        this.view.scene.fog = null;
        this.camera = { yaw: 0.35, pitch: 0.62, distance: 12.5 };
        this.pairs = pairs.map((pair, kind) => this.#make(pair, kind));
        this.#addGround();
        this.#bind();
        $("pairLegend").innerHTML = [
            [dragged, "drag this shape"],
            [hit, "it touches"],
            [normalColour, "normal"],
            [pointColour, "points of the contact"],
        ]
            .map(([colour, text]) => `<div><i style="background:${colour}"></i>${text}</div>`)
            .join("");
        this.draw();
    }

    #make(pair, kind) {
        const place = new THREE.Vector3(3.7 * (kind % 4) - 5.55, 1.5, kind < 4 ? -2.4 : 2.4);
        const a = meshOf(pair.a, fixed),
            b = meshOf(pair.b, dragged);
        a.position.copy(place);
        b.position.copy(place).add(new THREE.Vector3(...pair.at));
        b.rotation.set(...(pair.turn ?? [0, 0, 0]));
        const arrow = new THREE.ArrowHelper(new THREE.Vector3(0, 1, 0), place, 1, normalColour, 0.24, 0.15);
        const points = Array.from(
            { length: 8 },
            () =>
                new THREE.Mesh(
                    new THREE.SphereGeometry(0.07, 14, 10),
                    new THREE.MeshBasicMaterial({ color: pointColour, depthTest: false, transparent: true }),
                ),
        );
        for (const mesh of [arrow.line, arrow.cone]) {
            Object.assign(mesh.material, { depthTest: false, transparent: true }); // after what is transparent
            mesh.renderOrder = 1;
        }
        points.forEach((point) => (point.renderOrder = 1));
        this.view.scene.add(a, b, arrow, ...points);
        const row = document.createElement("div");
        row.className = "pair";
        $("pairs").append(row);
        return { ...pair, kind, meshA: a, meshB: b, arrow, points, row };
    }

    #addGround() {
        const ground = new THREE.Mesh(
            new THREE.PlaneGeometry(200, 200).rotateX(-Math.PI / 2),
            new THREE.MeshLambertMaterial({ color: "#dfe3e3" }),
        );
        ground.receiveShadow = true;
        this.view.scene.add(ground);
        Object.assign(this.view.sun.shadow.camera, { left: -12, right: 12, top: 12, bottom: -12 });
        this.view.sun.shadow.camera.updateProjectionMatrix();
    }

    #bind() {
        const canvas = $("canvas"),
            caster = new THREE.Raycaster();
        canvas.addEventListener("contextmenu", (event) => event.preventDefault());
        canvas.addEventListener("pointerdown", (event) => {
            canvas.setPointerCapture(event.pointerId);
            const at = new THREE.Vector2(
                (2 * event.offsetX) / canvas.clientWidth - 1,
                1 - (2 * event.offsetY) / canvas.clientHeight,
            );
            caster.setFromCamera(at, this.view.camera);
            caster.params.Line.threshold = 0.2;
            const [found] = caster.intersectObjects(this.pairs.map(({ meshB }) => meshB));
            this.drag = { mesh: found?.object ?? null, turns: event.button === 2, x: event.clientX, y: event.clientY };
        });
        canvas.addEventListener("pointermove", (event) => {
            if (this.drag) {
                this.#move(event.clientX - this.drag.x, event.clientY - this.drag.y, event.shiftKey);
                Object.assign(this.drag, { x: event.clientX, y: event.clientY });
                this.draw();
            }
        });
        canvas.addEventListener("pointerup", () => (this.drag = null));
        addEventListener("resize", () => {
            this.view.resize();
            this.draw();
        });
    }

    #move(dx, dy, vertical) {
        const { mesh, turns } = this.drag,
            scale = (0.0016 * this.camera.distance) / 1.4,
            { yaw } = this.camera;
        if (!mesh) {
            this.camera.yaw -= dx * 0.005;
            this.camera.pitch = Math.min(1.5, Math.max(0.08, this.camera.pitch + dy * 0.005));
        } else if (turns) {
            mesh.rotateOnWorldAxis(new THREE.Vector3(0, 1, 0), dx * 0.01);
            mesh.rotateOnWorldAxis(new THREE.Vector3(Math.cos(yaw), 0, -Math.sin(yaw)), dy * 0.01);
        } else if (vertical) {
            mesh.position.y -= dy * scale;
        } else {
            mesh.position.x += (Math.cos(yaw) * dx + Math.sin(yaw) * dy) * scale;
            mesh.position.z += (-Math.sin(yaw) * dx + Math.cos(yaw) * dy) * scale;
        }
    }

    #shape(mesh) {
        mesh.updateMatrixWorld();
        const axes = [0, 1, 2].flatMap((k) => new THREE.Vector3().setFromMatrixColumn(mesh.matrixWorld, k).toArray());
        const { size } = mesh.userData;
        return [...mesh.position.toArray(), ...axes, ...size, ...Array(9 - size.length).fill(0)];
    }

    #answer(pair) {
        const answer = this.simulation.pair(pair.kind, this.#shape(pair.meshA), this.#shape(pair.meshB));
        const { hits, depth, normal, points } = answer,
            isRay = pair.name.includes("ray"),
            isSegment = pair.name.includes("segment,");
        pair.meshB.material.color.set(hits && !isSegment ? hit : dragged);
        pair.points.forEach((mesh, i) => {
            mesh.visible = i < points.length;
            mesh.position.set(...(points[i] ?? [0, 0, 0]));
        });
        pair.arrow.visible = hits && !isSegment && Math.hypot(...normal) > 0.5;
        if (pair.arrow.visible) {
            pair.arrow.position.set(...points[0]);
            pair.arrow.setDirection(new THREE.Vector3(...normal));
            pair.arrow.setLength(Math.max(0.7, isRay ? 0 : depth), 0.24, 0.15);
        }
        const text = isSegment
            ? `distance ${Math.sqrt(depth).toFixed(4)}`
            : !hits
              ? "apart"
              : isRay
                ? `t = ${depth.toFixed(4)}`
                : `depth ${depth.toFixed(3)}, ${points.length} ${points.length === 1 ? "point" : "points"}`;
        pair.row.innerHTML = `<b>${pair.name}</b><span>${text}</span>`;
        return answer;
    }

    draw() {
        const { yaw, pitch, distance } = this.camera,
            flat = Math.cos(pitch);
        this.view.camera.position
            .set(Math.sin(yaw) * flat, Math.sin(pitch), Math.cos(yaw) * flat)
            .multiplyScalar(distance)
            .add(new THREE.Vector3(0, 1, 0));
        this.view.camera.lookAt(0, 1, 0);
        this.answers = this.pairs.map((pair) => this.#answer(pair));
        this.view.draw({ allShadows: true });
    }
}

globalThis.pairs = new Pairs();
globalThis.pairs.start().catch((error) => showMessage(`The page cannot start: ${error.message}`));

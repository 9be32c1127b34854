// The camera: around a place, behind the taken agent, or from its eyes. Drag turns, the right button or Shift moves, the wheel zooms.
import * as THREE from "three";

const eyeHeight = 0.72; // share of an agent's upper half

export class CameraControl {
    constructor(view, canvas) {
        this.view = view;
        this.target = new THREE.Vector3();
        this.yaw = 0.7;
        this.pitch = 0.6;
        this.distance = 60;
        this.mode = "orbit";
        this.onClick = () => {};
        this.changed = true;
        canvas.addEventListener("pointerdown", (event) => this.#begin(event, canvas));
        canvas.addEventListener("pointermove", (event) => this.#move(event));
        canvas.addEventListener("pointerup", (event) => this.#end(event));
        canvas.addEventListener("contextmenu", (event) => event.preventDefault());
        canvas.addEventListener(
            "wheel",
            (event) => {
                event.preventDefault();
                this.distance = Math.min(500, Math.max(1.5, this.distance * Math.exp(event.deltaY * 0.001)));
                this.changed = true;
            },
            { passive: false },
        );
    }

    #begin(event, canvas) {
        canvas.setPointerCapture(event.pointerId);
        this.drag = { x: event.clientX, y: event.clientY, far: false, pans: event.button === 2 || event.shiftKey };
    }

    #move(event) {
        if (!this.drag) {
            return;
        }
        const dx = event.clientX - this.drag.x,
            dy = event.clientY - this.drag.y;
        this.drag.far ||= Math.hypot(dx, dy) > 4;
        if (!this.drag.far) {
            return;
        }
        this.drag.x = event.clientX;
        this.drag.y = event.clientY;
        if (this.drag.pans) {
            this.#pan(dx, dy);
        } else {
            this.yaw -= dx * 0.005;
            this.pitch = Math.min(1.55, Math.max(this.mode === "eyes" ? -1.4 : -0.2, this.pitch + dy * 0.005));
        }
        this.changed = true;
    }

    #pan(dx, dy) {
        const scale = this.distance / 700,
            { x, z } = this.forward();
        this.target.x += (z * dx + x * dy) * scale;
        this.target.z += (-x * dx + z * dy) * scale;
    }

    #end(event) {
        if (this.drag && !this.drag.far && event.button === 0) {
            this.onClick(event);
        }
        this.drag = null;
    }

    /** The horizontal direction of the look. */
    forward() {
        return { x: -Math.sin(this.yaw), z: -Math.cos(this.yaw) };
    }

    /** Shows the whole of a box. */
    frame(box) {
        box.getCenter(this.target);
        this.target.y = box.min.y;
        const size = box.getSize(new THREE.Vector3());
        this.distance = Math.min(90, 0.62 * Math.max(size.x, size.z));
        this.changed = true;
    }

    /** Places the camera; `player`: the taken agent or null. */
    update(player) {
        const { camera } = this.view;
        const follows = player && this.mode !== "orbit";
        if (follows) {
            this.target.set(player.x, player.y - player.stepOffset, player.z);
            this.changed = true;
        }
        const flat = Math.cos(this.pitch),
            out = new THREE.Vector3(Math.sin(this.yaw) * flat, Math.sin(this.pitch), Math.cos(this.yaw) * flat);
        const eyes = follows && this.mode === "eyes";
        if (eyes) {
            camera.position.copy(this.target);
            camera.position.y += eyeHeight * (player.ry + player.halfHeight);
            camera.lookAt(camera.position.clone().sub(out));
        } else {
            const lifted = this.target.clone();
            lifted.y += follows ? 0.8 : 0;
            camera.position.copy(lifted).addScaledVector(out, follows ? Math.min(this.distance, 12) : this.distance);
            camera.lookAt(lifted);
        }
        this.view.hidesPlayer = eyes;
        this.view.focus.copy(this.target);
    }
}

/** The keys that are held; `take` returns whether Space was pressed since the last call. */
export class Keys {
    constructor() {
        this.held = new Set();
        this.jumped = false;
        addEventListener("keydown", (event) => {
            if (event.target.matches?.("input, select, textarea")) {
                return;
            }
            if (
                ["KeyW", "KeyA", "KeyS", "KeyD", "Space", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"].includes(
                    event.code,
                )
            ) {
                event.preventDefault();
            }
            this.jumped ||= event.code === "Space" && !event.repeat;
            this.held.add(event.code);
        });
        addEventListener("keyup", (event) => this.held.delete(event.code));
        addEventListener("blur", () => this.held.clear());
    }

    take() {
        const jumped = this.jumped;
        this.jumped = false;
        return jumped;
    }

    /** Forward and right, each -1 to 1; at most 1 long. */
    get direction() {
        const on = (...codes) => Number(codes.some((code) => this.held.has(code)));
        const forward = on("KeyW", "ArrowUp") - on("KeyS", "ArrowDown"),
            right = on("KeyD", "ArrowRight") - on("KeyA", "ArrowLeft");
        const length = Math.hypot(forward, right) || 1;
        return { forward: forward / length, right: right / length };
    }

    get runs() {
        return this.held.has("ShiftLeft") || this.held.has("ShiftRight");
    }
}

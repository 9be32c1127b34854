// The page: joins the simulation, the picture and the panel.
import { CameraControl, Keys } from "./camera.js";
import { readLevel } from "./files.js";
import { Simulation } from "./module.js";
import { Overlays } from "./overlays.js";
import {
    $,
    choice,
    download,
    hideSelection,
    showAgent,
    showLegend,
    showMessage,
    showNumbers,
    showTriangle,
} from "./panel.js";
import { levelColours } from "./shapes.js";
import { isIsolated } from "./threads.js";
import { View } from "./view.js";

const walkSpeed = 3,
    runSpeed = 5.5; // m/s
// If the processor draws, a drawing that took t is followed by a pause of rest * t, because the ticks come first.
const rest = { running: 4, moving: 1 };

class Page {
    async start() {
        this.canvas = $("canvas");
        const antialias = new URLSearchParams(location.search).get("antialias");
        this.view = new View(this.canvas, antialias && antialias !== "0");
        this.control = new CameraControl(this.view, this.canvas);
        this.keys = new Keys();
        this.simulation = await Simulation.load();
        this.overlays = new Overlays(this.view, this.simulation);
        this.colourMode = "plain";
        this.selected = null;
        this.taken = null;
        this.pace = 60;
        this.stats = false;
        this.allShadows = !this.view.software;
        this.#readAddress();
        this.#bind();
        if (!isIsolated()) {
            $("notice").hidden = false;
            $("notice").textContent =
                "One thread: this server does not isolate the page (COOP and COEP), so the browser gives it no threads.";
        }
        await this.open($("level").value);
        requestAnimationFrame(() => this.#frame());
    }

    // Fields of the panel can be given in the address: ?level=gen:stairs&agents=100&collide=0
    #readAddress() {
        for (const [name, value] of new URLSearchParams(location.search)) {
            const field = $(name);
            if (name === "level" && ![...field.options].some((option) => option.value === value)) {
                field.append(new Option(value, value));
            }
            if (field?.type === "checkbox") {
                field.checked = value !== "0";
            } else if (field && "value" in field) {
                field.value = value;
            } else if (name === "pace") {
                this.pace = Number(value);
            }
        }
    }

    /** Opens a level, generated or read by readLevel, with the crowd that the panel describes. */
    async open(level) {
        this.#setBusy(true);
        showMessage(null);
        try {
            const number = (id) => Number($(id).value);
            this.#release();
            this.simulation.stopAt(number("stop") || null);
            this.simulation.setPace(this.pace);
            await this.simulation.open({
                level,
                agents: Math.min(20000, Math.max(1, number("agents"))),
                seed: number("seed"),
                mode: $("mode").value,
                shape: $("shape").value,
                collide: $("collide").checked,
                steer: $("steer").checked,
            });
            this.#showLevel(level);
        } catch (error) {
            showMessage(error.message);
            this.level = null;
        }
        this.#setBusy(false);
    }

    // The simulation answers nothing while it opens a level.
    #setBusy(busy) {
        $("busy").hidden = !busy;
        for (const part of document.querySelectorAll("aside, footer")) {
            part.inert = busy;
        }
    }

    #showLevel(level) {
        const triangles = this.simulation.levelTriangles(),
            isGenerated = level.startsWith("gen:");
        this.view.setLevel(triangles, levelColours(this.simulation, isGenerated), isGenerated);
        this.view.setCrowd(this.simulation.numbers.agents, this.simulation.agent(0, 0));
        this.overlays.reset(triangles.corners);
        if (this.level !== level) {
            this.control.frame(this.view.bounds);
        }
        this.level = level;
        this.#setFlags();
    }

    #setFlags() {
        const { contacts, planes } = this.overlays.on;
        this.simulation.setFlags({ allContacts: contacts || planes, stats: this.stats });
    }

    async openFile(file) {
        try {
            await this.open(await readLevel(this.simulation, file));
        } catch (error) {
            showMessage(error.message);
        }
    }

    #bind() {
        $("open").addEventListener("click", () => this.open($("level").value));
        $("file").addEventListener("change", () => $("file").files[0] && this.openFile($("file").files[0]));
        addEventListener("dragover", (event) => {
            event.preventDefault();
            $("drop").hidden = false;
        });
        addEventListener("dragleave", (event) => ($("drop").hidden = event.relatedTarget === null));
        addEventListener("drop", (event) => {
            event.preventDefault();
            $("drop").hidden = true;
            this.openFile(event.dataTransfer.files[0]);
        });
        addEventListener("resize", () => {
            this.view.resize();
            this.dirty = true;
        });
        this.control.onClick = (event) => this.pick(event.offsetX, event.offsetY);
        this.#bindTime();
        this.#bindToggles();
        $("take").addEventListener("click", () =>
            this.taken === null ? this.take(this.selected ?? 0) : this.#release(),
        );
        $("playerShape").addEventListener("change", () => this.taken !== null && this.take(this.taken));
        $("lift").addEventListener("click", () => this.#placeLift());
        this.setCamera = choice("cameras", "orbit", (value) => {
            this.control.mode = value;
            this.dirty = true;
        });
    }

    #bindTime() {
        $("play").addEventListener("click", () => this.setPaused(this.simulation.numbers.paused === 0));
        $("step").addEventListener("click", () => {
            this.setPaused(true);
            this.simulation.step();
        });
        choice("pace", String(this.pace), (value) => {
            this.pace = Number(value);
            this.setPaused(false);
        });
        $("timeline").addEventListener("input", () => {
            this.setPaused(true);
            this.simulation.seek(Number($("timeline").value));
            this.dirty = true;
        });
        $("stop").addEventListener("change", () => this.simulation.stopAt(Number($("stop").value) || null));
    }

    #bindToggles() {
        choice("colours", this.colourMode, (value) => {
            this.colourMode = value;
            this.#toggled();
        });
        for (const box of $("toggles").querySelectorAll("input")) {
            const name = box.dataset.toggle;
            box.checked = name === "occlusion" ? this.view.occlusion : name === "shadows" ? this.allShadows : false;
            box.addEventListener("change", () => this.#toggle(name, box.checked));
        }
        $("boxLevel").addEventListener("input", () => {
            this.overlays.boxLevel = Number($("boxLevel").value);
            this.dirty = true;
        });
        this.#toggled();
    }

    #toggle(name, on) {
        if (name === "shadows") {
            this.allShadows = on;
        } else if (name === "occlusion") {
            this.view.occlusion = on;
        } else if (name === "stats") {
            this.stats = on;
        } else {
            this.overlays.on[name] = on;
        }
        this.#setFlags();
        this.#toggled();
    }

    #toggled() {
        showLegend(this.colourMode, this.overlays.on);
        this.dirty = true;
    }

    setPaused(paused) {
        this.simulation.setPace(paused ? 0 : this.pace);
        if (!paused && this.simulation.numbers.tick >= (Number($("stop").value) || Infinity)) {
            $("stop").value = "";
            this.simulation.stopAt(null);
        }
    }

    /** Picks what is drawn at a pixel of the canvas. */
    pick(x, y) {
        const { clientWidth, clientHeight } = this.canvas;
        const hit = this.simulation.pick(
            this.tick,
            this.view.inverseMatrix(),
            (2 * x) / clientWidth - 1,
            1 - (2 * y) / clientHeight,
        );
        this.selected = hit?.kind === "agent" ? hit.number : null;
        this.picked = hit;
        this.simulation.select(this.selected);
        this.overlays.showTriangle(hit?.kind === "triangle" && hit.key === 0 ? hit.number : null);
        if (hit?.kind === "triangle") {
            showTriangle(hit);
        } else if (!hit) {
            hideSelection();
        }
        this.dirty = true;
    }

    take(agent) {
        const shape = $("playerShape").value;
        this.taken = this.selected = agent;
        this.simulation.select(agent);
        this.simulation.take(agent, shape);
        this.overlays.showTriangle(null);
        this.view.setPlayerShape(playerShapes[shape]);
        $("take").textContent = "Let it go";
        if (this.control.mode === "orbit") {
            this.control.mode = "follow";
            this.control.distance = 9;
            this.control.pitch = 0.45;
            this.setCamera("follow");
        }
        this.dirty = true;
    }

    #release() {
        if (this.taken !== null) {
            this.simulation.take(null, "ellipsoid");
        }
        this.taken = this.selected = null;
        hideSelection();
        $("take").textContent = "Take over";
        this.control.mode = "orbit";
        this.setCamera?.("orbit");
    }

    // In front of the taken agent, or where a triangle was picked.
    #placeLift() {
        if (this.simulation.liftAt(this.tick)) {
            this.simulation.setLift(null);
            $("lift").textContent = "Lift here";
            return;
        }
        const agent = this.taken === null ? null : this.simulation.agent(this.tick, this.taken),
            { x, z } = this.control.forward();
        const at = agent
            ? [agent.x + 3 * x, agent.y - agent.ry - agent.halfHeight + 0.3, agent.z + 3 * z]
            : this.picked?.point;
        if (at && this.simulation.setLift(at)) {
            $("lift").textContent = "Remove lift";
        } else {
            showMessage("Take over an agent or click on the ground first: the lift is placed there");
        }
    }

    #steer() {
        if (this.taken === null) {
            this.keys.take();
            return;
        }
        const { forward, right } = this.keys.direction,
            { x, z } = this.control.forward();
        const speed = this.keys.runs ? runSpeed : walkSpeed;
        this.simulation.steerPlayer(
            speed * (forward * x - right * z),
            speed * (forward * z + right * x),
            this.keys.take(),
        );
    }

    #frame() {
        requestAnimationFrame(() => this.#frame());
        this.simulation.pump();
        this.#steer();
        const now = performance.now(),
            { state } = this.simulation.numbers;
        if (state === 3 && this.level) {
            showMessage(this.simulation.message);
            this.level = null;
        }
        const moved = this.tick !== this.simulation.shownTick || this.control.changed || this.dirty;
        if (!this.level || state !== 2 || now < (this.nextDraw ?? 0) || !moved) {
            return;
        }
        const share = this.control.changed || this.dirty ? rest.moving : rest.running;
        this.draw();
        const pauses = this.view.software && this.simulation.hasThread && !this.simulation.numbers.paused;
        this.nextDraw = pauses ? performance.now() + share * (performance.now() - now) : 0;
    }

    /** Draws the newest tick and writes the panel. */
    draw() {
        const tick = this.simulation.shownTick;
        this.control.changed = this.dirty = false;
        this.tick = tick;
        const agentOf = (number) => (number === null ? null : this.simulation.agent(tick, number));
        const player = agentOf(this.taken),
            selected = agentOf(this.selected);
        this.control.update(player);
        this.view.showCrowd(this.simulation, tick, this.colourMode);
        this.view.showThings({ player, selected, lift: this.simulation.liftAt(tick) });
        this.overlays.update(tick, this.selected, this.view.focus.toArray());
        this.view.draw({ allShadows: this.allShadows, looksInside: this.overlays.looksInside });
        if (this.view.software) {
            this.view.finish();
        }
        this.#write(tick, selected);
    }

    #write(tick, selected) {
        const n = this.simulation.numbers,
            now = performance.now();
        $("play").textContent = n.paused ? "Play" : "Pause";
        $("tick").textContent = `tick ${tick}`;
        Object.assign($("timeline"), { min: n.oldest, max: Math.max(n.newest, tick), value: tick });
        if (n.paused || now > (this.nextText ?? 0)) {
            this.nextText = now + 500;
            const { tick: hashed, hash } = this.simulation.hash;
            $("hash").textContent = hash;
            $("hash").dataset.tick = hashed;
            showNumbers(n, this.stats);
        }
        if (selected) {
            const contacts =
                n.contacts && n.contacts < 2000
                    ? this.simulation.contacts().filter(({ agent }) => agent === this.selected)
                    : [];
            showAgent(this.selected, selected, contacts, this.simulation.explain(selected.reasons), () =>
                this.#capture(),
            );
        }
    }

    #capture() {
        const text = this.simulation.capture(this.selected);
        if (text === null) {
            showMessage(`Agent ${this.selected} cannot be captured`);
        } else {
            download(`agent-${this.selected}-tick-${this.tick}.txt`, text);
        }
    }
}

// As in module/level.c.
const playerShapes = {
    ellipsoid: { rx: 0.4, ry: 0.9, rz: 0.4, halfHeight: 0 },
    capsule: { rx: 0.4, ry: 0.4, rz: 0.4, halfHeight: 0.5 },
    ball: { rx: 0.4, ry: 0.4, rz: 0.4, halfHeight: 0 },
};

globalThis.page = new Page();
globalThis.page.start().catch((error) => showMessage(`The viewer cannot start: ${error.message}`));

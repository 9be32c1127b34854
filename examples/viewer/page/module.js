// The library, compiled to WebAssembly (module/*.c), as an object.
import { instantiateAlone, isIsolated, nameSharedMemory, usableThreads } from "./threads.js";

const NO_AGENT = 0xffffffff;
export const shapes = { crowd: 0, ellipsoid: 1, capsule: 2, ball: 3 };
export const modes = { walk: 0, slide: 1, fly: 2 };
export const states = ["empty", "opening", "ready", "failed"];

// The order of viewer_numbers in module/clock.c.
const numbers = [
    "state",
    "tick",
    "oldest",
    "newest",
    "agents",
    "triangles",
    "p50",
    "p99",
    "rate",
    "threads",
    "sweeps",
    "culled",
    "fullPrice",
    "contacts",
    "paused",
    "candidates",
    "busy",
];
// The order of viewer_agent in module/inspect.c.
const fields = [
    "x",
    "y",
    "z",
    "vx",
    "vy",
    "vz",
    "flags",
    "reasons",
    "stepOffset",
    "groundTriangle",
    "groundSurface",
    "nx",
    "ny",
    "nz",
    "impact",
    "rx",
    "ry",
    "rz",
    "halfHeight",
    "profile",
    "heading",
    "groundKey",
];

export class Simulation {
    /** Loads the module and starts its simulation thread, unless `threads` is false. */
    static async load({ threads = true } = {}) {
        nameSharedMemory();
        const simulation = new Simulation();
        simulation.threads = usableThreads();
        simulation.hasThread = threads && isIsolated();
        const settings = {
            // The simulation's own thread, and the others of the pool.
            threads: simulation.hasThread ? simulation.threads : 0,
            locateFile: (name) => `/module/${name}`,
            stderr: (byte) => simulation.#hear(byte),
        };
        if (!simulation.hasThread) {
            settings.instantiateWasm = instantiateAlone(settings);
        }
        simulation.module = await globalThis.createViewer(settings);
        if (simulation.hasThread) {
            simulation.module._viewer_start();
        }
        return simulation;
    }

    /** Runs what is due where there is no thread for it. */
    pump() {
        if (!this.hasThread) {
            this.module._viewer_pump();
        }
    }

    get numbers() {
        const at = this.module._viewer_numbers() / 8;
        const values = this.module.HEAPF64.subarray(at, at + numbers.length);
        return Object.fromEntries(numbers.map((name, i) => [name, values[i]]));
    }

    /** Opens a level with a crowd. Rejects with a sentence. */
    async open({
        level,
        agents,
        seed = 1,
        threads = this.threads,
        mode = "walk",
        shape = "ellipsoid",
        collide = false,
        steer = false,
    }) {
        const m = this.module;
        this.printed = [];
        this.lastLine = null;
        const name = this.#text(level);
        m._viewer_open(name, agents, seed, this.hasThread ? threads : 1, modes[mode], shapes[shape], collide, steer);
        m._free(name);
        for (;;) {
            this.pump();
            const state = states[this.numbers.state];
            if (state === "ready") {
                return;
            }
            if (state === "failed") {
                throw new Error(this.message);
            }
            await new Promise((resolve) => setTimeout(resolve, 10));
        }
    }

    /** Why opening failed. */
    get message() {
        const own = this.module.UTF8ToString(this.module._viewer_message());
        return own || this.lastLine || "The level cannot be opened";
    }

    // The tools print some messages. A device of bytes is no terminal, so they draw no progress bars.
    #hear(byte) {
        if (byte === 10) {
            this.lastLine = new TextDecoder().decode(Uint8Array.from(this.printed)).replace(/^sidle: /, "");
            this.printed = [];
        } else {
            this.printed.push(byte);
        }
    }

    /** Keeps bytes as a file that `open` finds under its name. */
    writeFile(name, bytes) {
        this.module.FS.writeFile(`/${name}`, bytes);
    }

    /** Keeps triangles, nine numbers each, for the next `open`. */
    addTriangles(corners, surface) {
        const m = this.module,
            at = m._malloc(corners.length * 4);
        m.HEAPF32.set(corners, at / 4);
        const good = m._viewer_add_triangles(at, corners.length / 9, surface);
        m._free(at);
        if (!good) {
            m._viewer_drop_triangles();
            throw new Error("Not enough memory for the level's triangles");
        }
    }

    /** Null, or what is wrong with the bytes of an OBJ. */
    checkObj(name, bytes) {
        const m = this.module,
            text = this.#text(name),
            at = m._malloc(bytes.length + 1);
        m.HEAPU8.set(bytes, at);
        m.HEAPU8[at + bytes.length] = 0;
        const message = m._viewer_check_obj(text, at, bytes.length);
        m._free(at);
        m._free(text);
        return message ? m.UTF8ToString(message) : null;
    }

    /** The corners and surfaces of the open level. */
    levelTriangles() {
        const m = this.module,
            count = this.numbers.triangles,
            at = m._viewer_level_corners();
        const corners = m.HEAPF32.slice(at / 4, at / 4 + 9 * count);
        m._free(at);
        const surfaces = m._viewer_level_surfaces() / 2;
        return { count, corners, surfaces: m.HEAPU16.slice(surfaces, surfaces + count) };
    }

    surfaceColor(surface) {
        return this.module._viewer_surface_color(surface);
    }

    /** The tick whose states are drawn: the newest whole one. */
    get shownTick() {
        const n = this.numbers;
        return Math.min(n.tick, n.newest);
    }

    /** Ticks a second; 0 pauses. */
    setPace(pace) {
        this.module._viewer_set_pace(pace);
    }

    /** Ticks stop after that many; null: they do not. */
    stopAt(tick) {
        this.module._viewer_set_stop(tick ?? 0xffffffff);
    }

    step() {
        this.module._viewer_step();
    }

    seek(tick) {
        return Boolean(this.module._viewer_seek(tick));
    }

    /** { tick, hash }: the hash that `sidle crowd --json` prints after as many ticks. */
    get hash() {
        const [tick, hash] = this.module.UTF8ToString(this.module._viewer_hash()).split(" ");
        return { tick: Number(tick), hash: hash ?? "" };
    }

    setFlags({ allContacts, stats }) {
        this.module._viewer_set_flags(allContacts, stats);
    }

    select(agent) {
        this.module._viewer_select(agent ?? NO_AGENT);
    }

    agent(tick, agent) {
        const at = this.module._viewer_agent(tick, agent) / 8;
        if (!at) {
            return null;
        }
        const values = this.module.HEAPF64.subarray(at, at + fields.length);
        return Object.fromEntries(fields.map((name, i) => [name, values[i]]));
    }

    /** Sentences for the bits of `reasons`: [{ text, advice }]. */
    explain(reasons) {
        const m = this.module,
            found = [];
        for (let bit = 1; bit <= reasons; bit *= 2) {
            if (reasons & bit) {
                found.push({
                    text: m.UTF8ToString(m._viewer_reason(bit)),
                    advice: m.UTF8ToString(m._viewer_advice(bit)),
                });
            }
        }
        return found;
    }

    /** What is under normalised device coordinates: null, or { kind, number, surface, point, normal }. */
    pick(tick, inverse, x, y) {
        const m = this.module;
        this.matrix ??= m._malloc(16 * 8);
        m.HEAPF64.set(inverse, this.matrix / 8);
        const at = m._viewer_pick(tick, this.matrix, x, y) / 8;
        const [kind, number, key, surface, ...rest] = m.HEAPF64.slice(at, at + 10);
        return kind === 0
            ? null
            : {
                  kind: kind === 1 ? "agent" : "triangle",
                  number,
                  key,
                  surface,
                  point: rest.slice(0, 3),
                  normal: rest.slice(3),
              };
    }

    take(agent, shape) {
        this.module._viewer_take(agent ?? NO_AGENT, shapes[shape]);
    }

    steerPlayer(x, z, jumps) {
        this.module._viewer_steer_player(x, z, jumps);
    }

    setLift(at) {
        return Boolean(this.module._viewer_set_lift(at !== null, ...(at ?? [0, 0, 0])));
    }

    liftAt(tick) {
        const at = this.module._viewer_lift_at(tick) / 8;
        return at ? [...this.module.HEAPF64.subarray(at, at + 3)] : null;
    }

    /** The contacts of the last tick. */
    contacts() {
        const m = this.module,
            count = this.numbers.contacts,
            at = m._viewer_contacts() / 8;
        return Array.from({ length: at ? count : 0 }, (_, i) => {
            const [agent, feature, triangle, gap, ...v] = m.HEAPF64.subarray(at + 10 * i, at + 10 * i + 10);
            return { agent, feature, triangle, gap, point: v.slice(0, 3), normal: v.slice(3) };
        });
    }

    /** The next move of an agent, as text for `sidle replay`; null if it cannot be captured. */
    capture(agent) {
        const m = this.module,
            at = m._viewer_capture(agent);
        if (!at) {
            return null;
        }
        const text = m.UTF8ToString(at);
        m._free(at);
        return text;
    }

    /** Lines as numbers, six each. */
    normalLines(tick, length) {
        return this.#lines(this.module._viewer_normal_lines(tick, length));
    }

    trailLines(tick, ticks, every, only) {
        return this.#lines(this.module._viewer_trail_lines(tick, ticks, every, only ?? NO_AGENT));
    }

    /** Boxes of a level of the tree near a place, six numbers each: min, max. */
    boxes(level, [x, y, z], radius) {
        const m = this.module,
            most = 4096,
            at = m._malloc(most * 24);
        const count = m._viewer_boxes(at, most, level, x, y, z, radius);
        const boxes = m.HEAPF32.slice(at / 4, at / 4 + 6 * count);
        m._free(at);
        return boxes;
    }

    /** The number of each triangle's packet. */
    packets() {
        const m = this.module,
            at = m._viewer_packets(),
            count = this.numbers.triangles;
        const packets = m.HEAPU32.slice(at / 4, at / 4 + count);
        m._free(at);
        return packets;
    }

    /** How two shapes touch: { hits, depth, normal, points }; see PairShape and PairAnswer in module/pairs.c. */
    pair(kind, a, b) {
        const m = this.module,
            at = m._malloc(8 * 42);
        m.HEAPF64.set([...a, ...b], at / 8);
        const from = m._viewer_pair(kind, at, at + 8 * 21) / 8;
        m._free(at);
        const [hits, depth, nx, ny, nz, count, ...rest] = m.HEAPF64.subarray(from, from + 30);
        const points = Array.from({ length: count }, (_, i) => rest.slice(3 * i, 3 * i + 3));
        return { hits: hits !== 0, depth, normal: [nx, ny, nz], points };
    }

    /** Fills the instances of what is in view; `view`: 27 numbers, see View in module/draw.c. */
    draw(tick, view, colourMode) {
        const m = this.module;
        this.view ??= m._malloc(view.length * 4);
        m.HEAPF32.set(view, this.view / 4);
        m._viewer_draw(tick, this.view, colourMode);
        return [0, 1, 2].map((detail) => {
            const count = m._viewer_drawn_count(detail);
            const matrices = m._viewer_matrices(detail) / 4,
                colours = m._viewer_colours(detail);
            return {
                count,
                matrices: m.HEAPF32.subarray(matrices, matrices + 16 * count),
                colours: m.HEAPU8.subarray(colours, colours + count),
            };
        });
    }

    #lines(count) {
        const at = this.module._viewer_lines() / 4;
        return this.module.HEAPF32.slice(at, at + 6 * count);
    }

    #text(string) {
        const size = 4 * string.length + 1,
            at = this.module._malloc(size);
        this.module.stringToUTF8(string, at, size);
        return at;
    }
}

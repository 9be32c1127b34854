// The texts around the picture: numbers, legend, the selected agent or triangle, messages.
import { legends } from "./colours.js";

export const $ = (id) => document.getElementById(id);

const grouped = (number) => Math.round(number).toLocaleString("en");
const metres = (number) => `${number.toFixed(2)} m`;

function element(tag, text, properties = {}) {
    return Object.assign(document.createElement(tag), { textContent: text }, properties);
}

/** Shows a sentence until the next one; null hides it. */
export function showMessage(text) {
    $("message").hidden = text === null;
    $("message").textContent = text ?? "";
}

export function showNumbers(n, withStats) {
    const nanoseconds = n.agents ? (1e6 * n.p50) / n.agents : 0;
    const rows = [
        ["ticks a second", n.paused ? "paused" : n.rate.toFixed(0)],
        ["tick, p50", `${n.p50.toFixed(2)} ms`],
        ["tick, p99", `${n.p99.toFixed(2)} ms`],
        ["per agent", `${grouped(nanoseconds)} ns`],
        ["agents a second", nanoseconds ? grouped(1e9 / nanoseconds) : "–"],
        ["agents", grouped(n.agents)],
        ["triangles", grouped(n.triangles)],
        ["threads", n.threads],
    ];
    if (withStats) {
        rows.push(
            ["sweeps a move", n.sweeps.toFixed(2)],
            ["candidates a move", n.candidates.toFixed(1)],
            ["culled early", `${(100 * n.culled).toFixed(0)} %`],
            ["edges tested", `${(100 * n.fullPrice).toFixed(0)} %`],
        );
        if (n.threads > 1) {
            rows.push(["workers busy", `${(100 * n.busy).toFixed(0)} %`]);
        }
    }
    $("numbers").replaceChildren(...rows.flatMap(([name, value]) => [element("span", name), element("b", value)]));
}

const lineLegends = {
    contacts: [
        ["#e5484d", "contact on a face, and its normal"],
        ["#f0b429", "on an edge"],
        ["#7c5cd6", "on a vertex"],
        ["#2f6fde", "with an agent"],
    ],
    planes: [["#2f6fde", "plane of a contact"]],
    normals: [["#0f9d70", "normal of the ground"]],
    trails: [["#c2410c", "path of the last 4 s"]],
    gathered: [["#3b82c4", "gathered triangles, a colour a packet"]],
    boxes: [["#5b3fa8", "boxes of the tree"]],
};

export function showLegend(mode, toggles) {
    const entry = (colour, text, line) => {
        const row = element("div", "");
        row.append(element("i", "", { className: line ? "line" : "" }), text);
        row.firstChild.style.background = colour;
        return row;
    };
    const agents = legends[mode].filter(({ text, short }) => text && short !== false);
    const lines = Object.entries(toggles)
        .filter(([, on]) => on)
        .flatMap(([name]) => lineLegends[name] ?? []);
    $("legend").replaceChildren(
        ...agents.map(({ colour, text }) => entry(colour, text, false)),
        ...lines.map(([colour, text]) => entry(colour, text, true)),
    );
}

function definitions(rows) {
    const list = element("dl", "");
    list.append(...rows.flatMap(([name, value]) => [element("dt", name), element("dd", value)]));
    return list;
}

/** What is known of an agent. `contacts`: those of its last move. */
export function showAgent(number, agent, contacts, explanations, onCapture) {
    const speed = Math.hypot(agent.vx, agent.vy, agent.vz),
        grounded = (agent.flags & 1) !== 0;
    const box = $("selection");
    box.hidden = false;
    const rows = [
        ["centre", [agent.x, agent.y, agent.z].map((v) => v.toFixed(2)).join(", ")],
        ["speed", `${speed.toFixed(2)} m/s`],
        [
            "ground",
            grounded
                ? `triangle ${agent.groundTriangle}, ${((Math.acos(Math.min(1, agent.ny)) * 180) / Math.PI).toFixed(0)}°`
                : "in the air",
        ],
        ["drawn height", metres(-agent.stepOffset)],
        ...contacts.map((c) => [
            `${["face", "edge", "vertex", "agent"][c.feature]} contact`,
            c.gap >= 0 ? `gap ${(1000 * c.gap).toFixed(1)} mm` : `depth ${(-1000 * c.gap).toFixed(1)} mm`,
        ]),
    ];
    const reasons = element("ul", "");
    reasons.append(...explanations.map(({ text, advice }) => element("li", text, { title: advice })));
    // The button stays, so that a click does not fall between two updates.
    box.capture ??= element("button", "Download its next move as a capture", { id: "capture" });
    box.capture.onclick = onCapture;
    box.replaceChildren(element("h3", `Agent ${number}`), definitions(rows), reasons, box.capture);
}

export function showTriangle(hit) {
    const steep = (Math.acos(Math.min(1, Math.abs(hit.normal[1]))) * 180) / Math.PI;
    $("selection").hidden = false;
    $("selection").replaceChildren(
        element("h3", hit.key ? "The lift" : `Triangle ${hit.number}`),
        definitions([
            ["surface", hit.surface],
            ["steepness", `${steep.toFixed(1)}°`],
            ["hit at", hit.point.map((v) => v.toFixed(2)).join(", ")],
        ]),
    );
}

export function hideSelection() {
    $("selection").hidden = true;
}

/** A row of buttons of which one is on. */
export function choice(id, initial, onChange) {
    const buttons = [...$(id).children];
    const set = (value) => buttons.forEach((button) => button.classList.toggle("on", button.dataset.value === value));
    buttons.forEach((button) =>
        button.addEventListener("click", () => {
            set(button.dataset.value);
            onChange(button.dataset.value);
        }),
    );
    set(initial);
    return set;
}

export function download(name, text) {
    const link = element("a", "", {
        download: name,
        href: URL.createObjectURL(new Blob([text], { type: "text/plain" })),
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

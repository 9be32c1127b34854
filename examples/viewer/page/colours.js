// What the colours of agents mean. Each list is in the order of module/draw.c, and is the page's legend.
import { Color } from "three";

export const colourModes = ["plain", "reasons", "speed", "ground", "cost"];

const plain = ["#f2c078", "#9cc5a1", "#e08e79", "#8fb8de", "#c3a6d4", "#f4efe6"];
const speeds = [
    "#3b4a6b",
    "#3f6f8f",
    "#3f8f97",
    "#4fa98a",
    "#7fbf78",
    "#b5cf6b",
    "#e3d565",
    "#f0b354",
    "#e98245",
    "#d6523e",
];

export const legends = {
    plain: plain.map((colour) => ({ colour })),
    reasons: [
        { colour: "#7a1fa2", text: "stuck or invalid" },
        { colour: "#d81b9a", text: "pushed out of an overlap" },
        { colour: "#212a35", text: "a limit ended the move" },
        { colour: "#2f6fde", text: "another agent" },
        { colour: "#8d6e63", text: "ceiling" },
        { colour: "#00897b", text: "a step too high" },
        { colour: "#f2a900", text: "slope" },
        { colour: "#d84339", text: "wall" },
        { colour: "#9ccc65", text: "climbed an edge" },
        { colour: "#e8e4da", text: "moved as asked" },
    ],
    speed: speeds.map((colour, i) => ({
        colour,
        text: i === 9 ? "4.5 m/s or more" : `${i / 2} m/s`,
        short: i % 3 === 0,
    })),
    cost: speeds.map((colour, i) => ({
        colour,
        text: i === 9 ? "9 sweeps or more" : `${i} sweep${i === 1 ? "" : "s"}`,
        short: i % 3 === 0,
    })),
    ground: [
        { colour: "#5aa469", text: "stands on a face" },
        { colour: "#e9b44c", text: "stands on an edge" },
        { colour: "#4f7cac", text: "in the air" },
    ],
};

// Linear colours, as instances need them.
export const palettes = Object.fromEntries(
    Object.entries(legends).map(([mode, entries]) => [mode, entries.map(({ colour }) => new Color(colour).toArray())]),
);

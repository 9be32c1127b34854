// A server, a browser and the native program for the tests.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { serve } from "../server.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const program = process.env.SIDLE_PROGRAM ?? join(root, "build", "release", "sidle");
export const pictures = process.env.SIDLE_PICTURES ?? join(root, "build", "viewer", "pictures");
const run = promisify(execFile);

/** What the native program prints with --json. */
export async function native(...args) {
    return JSON.parse((await run(program, [...args, "--json"])).stdout);
}

/** A folder that is removed after the test. */
export async function temporary(t) {
    const folder = await mkdtemp(join(tmpdir(), "sidle-viewer-"));
    t.after(() => rm(folder, { recursive: true }));
    return folder;
}

let browser;

/** The one browser of all tests. Without a graphics card Chromium draws with SwiftShader. */
export async function startBrowser() {
    const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
    browser = await chromium.launch({
        executablePath,
        args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
    });
}

export const stopBrowser = () => browser.close();

/** Opens a page of the server. `page.errors` gets what it prints as an error. */
export async function openAddress(t, path, { isolated = true, width = 1000, height = 640 } = {}) {
    const { server, address } = await serve({ isolated });
    const page = await browser.newPage({ viewport: { width, height } });
    page.errors = [];
    page.on("console", (message) => message.type() === "error" && page.errors.push(message.text()));
    page.on("pageerror", (error) => page.errors.push(error.message));
    t.after(async () => {
        await page.close();
        server.close();
    });
    await page.goto(address + path);
    return page;
}

/** Opens the crowd's page and waits until its level is there. `query`: fields of the panel. */
export async function openPage(t, query = {}, options = {}) {
    const page = await openAddress(t, `?${new URLSearchParams(query)}`, options);
    await page.waitForFunction(() => globalThis.page?.level && document.getElementById("busy").hidden);
    return page;
}

export const numbers = (page) => page.evaluate(() => globalThis.page.simulation.numbers);

/** Pauses and waits until the picture shows the last tick. */
export async function pause(page) {
    await page.evaluate(() => globalThis.page.setPaused(true));
    await page.waitForFunction(() => globalThis.page.tick === globalThis.page.simulation.numbers.tick);
}

/** Runs at full speed to a tick and waits for it. */
export async function runTo(page, tick) {
    await page.evaluate((end) => {
        globalThis.page.simulation.stopAt(end);
        globalThis.page.simulation.setPace(1e6);
    }, tick);
    await page.waitForFunction((end) => globalThis.page.simulation.numbers.tick === end, tick);
    return page.evaluate(() => globalThis.page.simulation.hash);
}

/** Draws and counts the pixels that differ from the last call's. */
export function changedPixels(page) {
    return page.evaluate(() => {
        const { view } = globalThis.page,
            gl = view.renderer.getContext();
        globalThis.page.draw();
        const size = gl.drawingBufferWidth * gl.drawingBufferHeight,
            now = new Uint32Array(size);
        gl.readPixels(
            0,
            0,
            gl.drawingBufferWidth,
            gl.drawingBufferHeight,
            gl.RGBA,
            gl.UNSIGNED_BYTE,
            new Uint8Array(now.buffer),
        );
        const last = globalThis.lastPixels ?? now;
        globalThis.lastPixels = now;
        return now.reduce((sum, pixel, i) => sum + (pixel !== last[i] ? 1 : 0), 0);
    });
}

/** Looks at a place from above, from so many metres. */
export function lookAt(page, [x, y, z], distance, pitch = 1.2, yaw = 0) {
    return page.evaluate(
        ([at, far, up, round]) => {
            const { control } = globalThis.page;
            Object.assign(control, { distance: far, pitch: up, yaw: round, changed: true });
            control.target.set(...at);
            globalThis.page.draw();
        },
        [[x, y, z], distance, pitch, yaw],
    );
}

export const agent = (page, number) =>
    page.evaluate((n) => {
        const { simulation } = globalThis.page;
        return simulation.agent(simulation.shownTick, n);
    }, number);

/** Clicks the picture where a point of the world is drawn. */
export async function clickAt(page, point) {
    const at = await page.evaluate((p) => globalThis.page.view.project(...p), point);
    await page.locator("#canvas").click({ position: at });
}

/** Gives the page a file, as the person's file dialog does. */
export async function giveFile(page, name, bytes) {
    await page
        .locator("#file")
        .setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) });
}

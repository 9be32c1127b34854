// Makes the pictures of the docs: SIDLE_PICTURES=../../docs/viewer node --test test/pictures.test.js
import assert from "node:assert/strict";
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { agent, lookAt, openAddress, openPage, pause, pictures, runTo, startBrowser, stopBrowser } from "./support.js";

before(startBrowser);
after(stopBrowser);

/** Opens a level at a tick, with all shadows and occlusion, and more toggles. */
async function openScene(t, query, tick, toggles = []) {
    const page = await openPage(t, { pace: 0, antialias: 1, ...query }, { width: 1200, height: 690 });
    for (const name of ["shadows", "occlusion", ...toggles]) {
        await page.locator(`[data-toggle=${name}]`).check();
    }
    await runTo(page, tick);
    await pause(page);
    return page;
}

async function takePicture(page, name) {
    await mkdir(pictures, { recursive: true });
    await page.evaluate(() => (globalThis.page ?? globalThis.pairs).draw());
    await page.waitForTimeout(300);
    const path = join(pictures, `${name}.png`);
    await page.screenshot({ path });
    const { size } = await stat(path);
    assert.ok(size > 50000, `${name} shows something: ${size} bytes`);
    assert.deepEqual(page.errors, []);
}

test("a market among houses", async (t) => {
    const page = await openScene(t, { level: "gen:city:2", agents: 1200, seed: 3 }, 240);
    await page.locator("#colours [data-value=reasons]").click();
    await lookAt(page, [0, 1, 0], 52, 0.55, 0.65);
    await takePicture(page, "city");
});

test("an agent, its contacts, and the triangles that its move depends on", async (t) => {
    const page = await openScene(t, { level: "gen:city:1", agents: 700, seed: 2 }, 200, [
        "contacts",
        "planes",
        "gathered",
    ]);
    const number = 224; // between a stall, the ground and another agent
    const { x, y, z } = await agent(page, number);
    await lookAt(page, [x, y, z], 5.5, 0.45, 1.75);
    await page.evaluate((selected) => {
        globalThis.page.selected = selected;
        globalThis.page.simulation.select(selected);
    }, number);
    await takePicture(page, "contacts");
});

test("the paths of the last seconds on a terrain", async (t) => {
    const page = await openScene(t, { level: "gen:terrain:128", agents: 900, seed: 5, collide: 1 }, 300, ["trails"]);
    await page.locator("#colours [data-value=speed]").click();
    await lookAt(page, [0, 12, 0], 75, 0.62, 0.8);
    await takePicture(page, "trails");
});

test("pairs of shapes", async (t) => {
    const page = await openAddress(t, "page/pairs.html", { width: 1200, height: 560 });
    await page.waitForFunction(() => globalThis.pairs.answers);
    await takePicture(page, "pairs");
});

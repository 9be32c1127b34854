import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
    agent,
    changedPixels,
    clickAt,
    giveFile,
    lookAt,
    native,
    numbers,
    openAddress,
    openPage,
    pause,
    runTo,
    startBrowser,
    stopBrowser,
    temporary,
} from "./support.js";

before(startBrowser);
after(stopBrowser);

const message = (page) => page.locator("#message").textContent();

// A floor of 40 m and a wall 3 m high at z = -18.
const room =
    `v -20 0 -20\nv 20 0 -20\nv 20 0 20\nv -20 0 20\nf 4 3 2 1\n` +
    `v -20 0 -18\nv 20 0 -18\nv 20 3 -18\nv -20 3 -18\nf 5 6 7 8\n`;

test("the page loads without an error, with a thread for each processor", async (t) => {
    const page = await openPage(t, { level: "gen:city:2", agents: 300 });
    await page.waitForFunction(() => globalThis.page.simulation.numbers.tick > 60);
    const processors = await page.evaluate(() => navigator.hardwareConcurrency);
    assert.equal((await numbers(page)).threads, Math.min(processors, 16));
    assert.deepEqual(page.errors, []);
});

for (const [level, agents, options] of [
    ["gen:city:2", 1500, ["--agents-collide"]],
    ["gen:dungeon", 400, ["--agents-collide", "--steer"]],
    ["gen:terrain:128", 1000, ["--shape", "capsule:.4,.5"]],
]) {
    test(`${agents} agents in ${level} end in the native program's state, also after a return to an earlier tick`, async (t) => {
        const expected = (await native("crowd", level, "--agents", agents, "--ticks", 300, "--seed", 7, ...options))
            .state_hash;
        const page = await openPage(t, {
            level,
            agents,
            seed: 7,
            pace: 0,
            collide: options.includes("--agents-collide") ? 1 : 0,
            steer: options.includes("--steer") ? 1 : 0,
            shape: options.includes("--shape") ? "capsule" : "ellipsoid",
        });
        assert.deepEqual(await runTo(page, 300), { tick: 300, hash: expected });
        await pause(page);
        assert.ok(await page.evaluate(() => globalThis.page.simulation.seek(180)));
        assert.equal((await numbers(page)).tick, 180);
        assert.deepEqual(await runTo(page, 300), { tick: 300, hash: expected });
        await page.waitForFunction((hash) => document.getElementById("hash").textContent === hash, expected);
    });
}

test("without isolation the page runs on one thread, says so, and has the same bits", async (t) => {
    const expected = (await native("crowd", "gen:city:1", "--agents", 300, "--ticks", 120, "--agents-collide"))
        .state_hash;
    const page = await openPage(t, { level: "gen:city:1", agents: 300, pace: 0 }, { isolated: false });
    assert.equal(await page.evaluate(() => globalThis.crossOriginIsolated), false);
    assert.equal((await numbers(page)).threads, 1);
    assert.match(await page.locator("#notice").textContent(), /^One thread/);
    assert.deepEqual(await runTo(page, 120), { tick: 120, hash: expected });
    assert.deepEqual(page.errors, []);
});

// How long a tick takes is printed. It depends on what else the machine does, so it decides nothing.
test("5,000 agents that collide walk through the city while the page draws", async (t) => {
    const page = await openPage(t, { level: "gen:city", agents: 5000 });
    await page.waitForFunction(() => globalThis.page.simulation.numbers.tick > 300, undefined, { timeout: 60000 });
    const n = await numbers(page); // of 240 ticks
    assert.ok(n.p50 > 0);
    t.diagnostic(
        `p50 ${n.p50.toFixed(2)} ms, p99 ${n.p99.toFixed(2)} ms, ${n.rate.toFixed(1)} ticks a second, ${n.threads} threads`,
    );
});

test("a click picks the agent that is drawn there, or the triangle", async (t) => {
    const page = await openPage(t, { level: "gen:terrain:128", agents: 200, collide: 1 });
    await page.waitForFunction(() => globalThis.page.simulation.numbers.tick > 30);
    await pause(page);
    for (const number of [0, 57, 199]) {
        const { x, y, z } = await agent(page, number);
        await lookAt(page, [x, y, z], 25);
        await clickAt(page, [x, y, z]);
        await page.waitForFunction(() => !globalThis.page.dirty);
        assert.equal(await page.locator("#selection h3").textContent(), `Agent ${number}`);
    }
    const { x, y, z } = await agent(page, 0);
    await lookAt(page, [x, y, z], 25);
    await clickAt(page, [x + 3, y - 0.9, z]);
    assert.match(await page.locator("#selection h3").textContent(), /^Triangle \d+$/);
    const { point, hit } = await page.evaluate(() => ({
        point: globalThis.page.picked.point,
        hit: globalThis.page.picked.number,
    }));
    const corners = await page.evaluate((n) => [...globalThis.page.overlays.corners.slice(9 * n, 9 * n + 9)], hit);
    for (const axis of [0, 2]) {
        const values = [corners[axis], corners[axis + 3], corners[axis + 6]];
        assert.ok(point[axis] >= Math.min(...values) - 1e-4 && point[axis] <= Math.max(...values) + 1e-4);
    }
});

/** Opens the room with one agent, which a person takes over. */
async function openRoom(t, shape) {
    const page = await openPage(t, { level: "gen:stairs", agents: 1 });
    await giveFile(page, "room.obj", room);
    await page.waitForFunction(() => globalThis.page.level === "room.obj");
    await page.locator("#playerShape").selectOption(shape);
    await page.locator("#take").click();
    await page.evaluate(() => Object.assign(globalThis.page.control, { yaw: 0, changed: true }));
    return page;
}

for (const [shape, height] of [
    ["ellipsoid", 0.9],
    ["capsule", 0.9],
    ["ball", 0.4],
]) {
    test(`W moves a taken ${shape}, a wall stops it, and Space makes it jump`, async (t) => {
        const page = await openRoom(t, shape);
        await page.locator("#canvas").focus();
        const start = await agent(page, 0);
        await page.keyboard.down("KeyW");
        await page.waitForFunction(
            (z) => globalThis.page.simulation.agent(globalThis.page.simulation.shownTick, 0).z < z - 0.5,
            start.z,
        );
        await page.evaluate(() => globalThis.page.simulation.setPace(2000));
        await page.waitForFunction(
            () => (globalThis.page.simulation.agent(globalThis.page.simulation.shownTick, 0).reasons & 1) === 1,
        );
        await page.waitForTimeout(300);
        const end = await agent(page, 0);
        assert.ok(end.z > -17.6 && end.z < -17.58, `it stands at z = ${end.z}`);
        assert.ok(Math.abs(end.y - height) < 0.03, `its centre is at ${end.y}`);
        assert.equal(end.reasons & 1, 1, "a wall is its reason");
        await page.keyboard.up("KeyW");
        await page.evaluate(() => globalThis.page.simulation.setPace(60));
        await page.keyboard.press("Space");
        await page.waitForFunction(
            (y) => globalThis.page.simulation.agent(globalThis.page.simulation.shownTick, 0).y > y + 0.5,
            end.y,
        );
        assert.deepEqual(page.errors, []);
    });
}

test("each toggle and colour changes the picture, and changes it back", async (t) => {
    const page = await openPage(t, { level: "gen:city:1", agents: 250 });
    await page.locator("[data-toggle=contacts]").check(); // so that the last tick has contacts
    await page.waitForFunction(() => globalThis.page.simulation.numbers.tick > 90);
    await pause(page);
    await page.locator("[data-toggle=contacts]").uncheck();
    const { x, y, z } = await agent(page, 3);
    await lookAt(page, [x, y, z], 18, 0.9);
    await page.evaluate(() => {
        globalThis.page.selected = 3;
        globalThis.page.simulation.select(3);
    });
    await changedPixels(page);
    assert.equal(await changedPixels(page), 0, "a picture of one tick stays as it is");
    for (const name of ["contacts", "planes", "normals", "trails", "gathered", "boxes", "shadows", "occlusion"]) {
        await page.locator(`[data-toggle=${name}]`).check();
        assert.ok((await changedPixels(page)) > 40, `${name} changes the picture`);
        await page.locator(`[data-toggle=${name}]`).uncheck();
        await changedPixels(page);
    }
    for (const name of ["reasons", "speed", "ground", "cost"]) {
        await page.locator(`#colours [data-value=${name}]`).click();
        assert.ok((await changedPixels(page)) > 100, `the colour of ${name} changes the picture`);
    }
    await page.locator("#colours [data-value=plain]").click();
    await changedPixels(page);
    await page.locator("[data-toggle=stats]").check();
    await page.locator("#step").click();
    await page.waitForFunction(() => /sweeps a move[1-9]/.test(document.getElementById("numbers").textContent));
    assert.deepEqual(page.errors, []);
});

test("a file that cannot be read gives a sentence, and the next level opens", async (t) => {
    const page = await openPage(t, { level: "gen:stairs", agents: 10 });
    for (const [name, bytes, expected] of [
        ["broken.sidle", "sidle?" + "\u0001".repeat(500), /^broken\.sidle: byte 0: this is not a sidle mesh$/],
        ["broken.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 9\n", /^broken\.obj:4: the face uses vertex 9 of only 3$/],
        ["points.obj", "v 0 0 0\n", /points\.obj holds no triangles/],
        ["broken.gltf", "{ no glTF", /broken\.gltf cannot be read: .+/],
        ["steep.obj", "v 0 0 0\nv 0 5 0\nv 0 0 5\nf 1 2 3\n", /steep\.obj has no triangle that faces up/],
        ["notes.txt", "a text", /notes\.txt: a level is a \.obj, \.gltf, \.glb or \.sidle file/],
        ["empty.obj", "", /empty\.obj is empty/],
    ]) {
        await giveFile(page, name, bytes);
        await page.waitForFunction((file) => document.getElementById("message").textContent.includes(file), name);
        assert.match(await message(page), expected);
    }
    await page.locator("#open").click();
    await page.waitForFunction(() => globalThis.page.level === "gen:stairs");
    assert.equal(await page.locator("#message").isHidden(), true);
});

test("a glTF opens, with its nodes where they stand", async (t) => {
    // A square of 10 m, which its node raises by 2 m and mirrors. Its front is above, in the mesh and in the node.
    const corners = new Float32Array([-5, 0, -5, 5, 0, -5, 5, 0, 5, -5, 0, 5]),
        order = new Uint16Array([0, 2, 1, 0, 3, 2]);
    const bytes = Buffer.concat([Buffer.from(corners.buffer), Buffer.from(order.buffer)]);
    const gltf = {
        asset: { version: "2.0" },
        scene: 0,
        scenes: [{ nodes: [0] }],
        nodes: [{ mesh: 0, translation: [0, 2, 0], scale: [-1, 1, 1] }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
        accessors: [
            { bufferView: 0, componentType: 5126, count: 4, type: "VEC3", min: [-5, 0, -5], max: [5, 0, 5] },
            { bufferView: 1, componentType: 5123, count: 6, type: "SCALAR" },
        ],
        bufferViews: [
            { buffer: 0, byteLength: 48 },
            { buffer: 0, byteOffset: 48, byteLength: 12 },
        ],
        buffers: [{ byteLength: 60, uri: `data:application/octet-stream;base64,${bytes.toString("base64")}` }],
    };
    const page = await openPage(t, { level: "gen:stairs", agents: 3 });
    await giveFile(page, "square.gltf", JSON.stringify(gltf));
    await page.waitForFunction(() => globalThis.page.level === "square.gltf");
    await page.waitForFunction(() => globalThis.page.simulation.numbers.tick > 20);
    const { y, flags } = await agent(page, 0);
    assert.ok(Math.abs(y - 2.918) < 0.01 && flags & 1, `it stands at ${y}`);
    assert.equal((await numbers(page)).triangles, 2);
});

test("a baked .sidle file opens, with the state of the native program", async (t) => {
    const folder = await temporary(t),
        path = join(folder, "stairs.sidle");
    await native("bake", "gen:stairs", "-o", path);
    const expected = (await native("crowd", path, "--agents", 60, "--ticks", 100, "--agents-collide")).state_hash;
    const page = await openPage(t, { level: "gen:city:1", agents: 60, pace: 0 });
    await giveFile(page, "stairs.sidle", await readFile(path));
    await page.waitForFunction(() => globalThis.page.level === "stairs.sidle");
    assert.deepEqual(await runTo(page, 100), { tick: 100, hash: expected });
});

test("the capture of a selected agent downloads, and the native program replays it to the same bits", async (t) => {
    const page = await openPage(t, { level: "gen:city:1", agents: 300 });
    await page.waitForFunction(() => globalThis.page.simulation.numbers.tick > 60);
    await pause(page);
    const { x, y, z } = await agent(page, 8);
    await lookAt(page, [x, y, z], 4, 1.5);
    await clickAt(page, [x, y, z]);
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#capture").click()]);
    const path = join(await temporary(t), "capture.txt");
    await writeFile(path, await readFile(await download.path()));
    const replay = await native("replay", path);
    assert.equal(replay.agrees, 1);
    assert.equal(replay.agent, await page.evaluate(() => globalThis.page.selected));
});

test("a lift carries the taken agent up", async (t) => {
    const page = await openRoom(t, "capsule");
    await page.waitForFunction(() => globalThis.page.simulation.numbers.tick > 10);
    const { x, y, z } = await agent(page, 0);
    await page.evaluate(([at, foot, far]) => globalThis.page.simulation.setLift([at, foot, far]), [x, y - 0.9, z]);
    await page.evaluate(() => globalThis.page.simulation.setPace(600));
    await page.waitForFunction(
        (low) => globalThis.page.simulation.agent(globalThis.page.simulation.shownTick, 0).y > low + 2,
        y,
    );
    assert.deepEqual(page.errors, []);
});

test("a pair of shapes reports its depth, and none once it is dragged apart", async (t) => {
    const page = await openAddress(t, "page/pairs.html", { width: 1200, height: 690 });
    await page.waitForFunction(() => globalThis.pairs.answers);
    const pair = () =>
        page.evaluate(() => {
            const { meshA, meshB } = globalThis.pairs.pairs[0];
            return {
                ...globalThis.pairs.answers[0],
                distance: meshA.position.distanceTo(meshB.position),
                at: globalThis.pairs.view.project(...meshB.position.toArray()),
            };
        });
    const touching = await pair();
    assert.equal(touching.hits, true);
    assert.ok(Math.abs(touching.depth - (1.7 - touching.distance)) < 1e-6);
    const { left, top } = await page.locator("#canvas").evaluate((canvas) => canvas.getBoundingClientRect());
    await page.mouse.move(left + touching.at.x, top + touching.at.y);
    await page.mouse.down();
    await page.mouse.move(left + touching.at.x - 20, top + touching.at.y - 150, { steps: 5 });
    await page.mouse.up();
    const apart = await pair();
    assert.equal(apart.hits, false);
    assert.ok(apart.distance > 1.7);
    assert.match(await page.locator(".pair").first().textContent(), /apart/);
    assert.deepEqual(page.errors, []);
});

test("the pointer on the timeline returns the crowd to an earlier tick", async (t) => {
    const page = await openPage(t, { level: "gen:city:1", agents: 100, pace: 0 });
    await runTo(page, 200);
    const late = await agent(page, 5);
    await pause(page);
    await page.locator("#timeline").fill("40");
    await page.waitForFunction(() => document.getElementById("tick").textContent === "tick 40");
    const early = await agent(page, 5);
    assert.ok(Math.hypot(early.x - late.x, early.z - late.z) > 0.3);
    assert.equal(await page.evaluate(() => globalThis.page.simulation.hash.tick), 40);
});

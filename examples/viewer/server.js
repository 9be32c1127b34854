// Serves the page. The two headers isolate it from other origins; without them a browser gives a page no shared memory, and so
// no threads. `--plain` serves without them.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

// The first part of a path, and the folder that holds it.
const folders = {
    page: join(here, "page"),
    three: join(here, "node_modules", "three"),
    module: process.env.SIDLE_MODULE ?? join(here, "..", "..", "build", "viewer", "page"),
};
const types = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css",
    ".js": "text/javascript",
    ".wasm": "application/wasm",
};
const isolation = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

/** The file of a request's path, or null. */
function fileOf(path) {
    if (path === "/") {
        return join(folders.page, "index.html");
    }
    const [, first, ...rest] = normalize(path).split("/");
    return Object.hasOwn(folders, first) && !rest.includes("..") ? join(folders[first], ...rest) : null;
}

/** Starts a server and returns it with its address. Port 0: any free one. */
export async function serve({ port = 0, isolated = true } = {}) {
    const server = createServer(async (request, response) => {
        const path = decodeURIComponent(new URL(request.url, "http://host").pathname);
        const file = fileOf(path);
        const found = file && (await stat(file).catch(() => null));
        if (!found?.isFile()) {
            response.writeHead(404).end(`There is no ${path}\n`);
            return;
        }
        response.writeHead(200, {
            "Content-Type": types[extname(file)] ?? "application/octet-stream",
            "Content-Length": found.size,
            "Cache-Control": "no-cache",
            ...(isolated ? isolation : {}),
        });
        createReadStream(file).pipe(response);
    });
    await new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, "127.0.0.1", resolve);
    });
    return { server, address: `http://127.0.0.1:${server.address().port}/` };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const { address } = await serve({
        port: Number(process.env.PORT ?? 8080),
        isolated: !process.argv.includes("--plain"),
    });
    console.log(`The viewer is at ${address}  (Ctrl-C ends it)`);
}

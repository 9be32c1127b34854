// What a browser gives a page: threads, or none.

/** True if the browser lets the page share memory among threads. */
export const isIsolated = () => globalThis.crossOriginIsolated === true;

/** As many threads as processors, the simulation's own included; 1 if the page has no threads. */
export function usableThreads() {
    return isIsolated() ? Math.min(Math.max(navigator.hardwareConcurrency, 1), 16) : 1;
}

// Emscripten names SharedArrayBuffer, which a page that is not isolated lacks. The memory itself can still be made: it
// cannot be sent to a worker, and there is none.
export function nameSharedMemory() {
    globalThis.SharedArrayBuffer ??= new WebAssembly.Memory({
        initial: 0,
        maximum: 0,
        shared: true,
    }).buffer.constructor;
}

// Emscripten 3.1 waits for its workers to load the module, and waits forever if there are none.
export function instantiateAlone(settings) {
    return (imports, receive) => {
        WebAssembly.instantiateStreaming(fetch(settings.locateFile("viewer.wasm")), imports).then(
            ({ instance, module }) => {
                receive(instance, module);
                settings.removeRunDependency("wasm-instantiate");
            },
        );
        return {};
    };
}

// Geometry of levels and agents.
import * as THREE from "three";

const chunkSize = 32; // metres: what is outside of the picture is skipped by chunks

/** Geometries of a level, each with the triangles around one place: flat normals, a colour for each triangle. */
export function* levelChunks({ corners, surfaces, count }, colourOf) {
    const chunks = new Map();
    for (let i = 0; i < count; i++) {
        const x = Math.floor(corners[9 * i] / chunkSize),
            z = Math.floor(corners[9 * i + 2] / chunkSize),
            key = `${x} ${z}`;
        if (!chunks.has(key)) {
            chunks.set(key, []);
        }
        chunks.get(key).push(i);
    }
    for (const list of chunks.values()) {
        yield chunkGeometry(list, corners, surfaces, colourOf);
    }
}

// A triangle shares the corners of the one before it if both are in one plane: most are halves of quads.
function chunkGeometry(list, corners, surfaces, colourOf) {
    const positions = new Float32Array(9 * list.length),
        normals = new Float32Array(9 * list.length);
    const colours = new Float32Array(9 * list.length),
        indices = new Uint32Array(3 * list.length);
    const a = new THREE.Vector3(),
        b = new THREE.Vector3(),
        c = new THREE.Vector3(),
        last = new THREE.Vector3();
    let count = 0,
        lastSurface = -1;
    list.forEach((triangle, i) => {
        const at = 9 * triangle,
            surface = surfaces[triangle];
        a.fromArray(corners, at);
        b.fromArray(corners, at + 3).sub(a);
        c.fromArray(corners, at + 6).sub(a);
        const normal = b.cross(c).normalize(),
            colour = colourOf(surface, normal);
        const shares = surface === lastSurface && normal.distanceToSquared(last) < 1e-8;
        for (let k = 0; k < 3; k++) {
            const from = at + 3 * k;
            const same = shares
                ? [0, 1, 2]
                      .map((j) => indices[3 * i - 3 + j])
                      .find(
                          (j) =>
                              positions[3 * j] === corners[from] &&
                              positions[3 * j + 1] === corners[from + 1] &&
                              positions[3 * j + 2] === corners[from + 2],
                      )
                : undefined;
            indices[3 * i + k] = same ?? count;
            if (same === undefined) {
                positions.set(corners.subarray(from, from + 3), 3 * count);
                normal.toArray(normals, 3 * count);
                colours.set(colour, 3 * count++);
            }
        }
        last.copy(normal);
        lastSurface = surface;
    });
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(positions.slice(0, 3 * count), 3));
    geometry.setAttribute("normal", new THREE.BufferAttribute(normals.slice(0, 3 * count), 3));
    geometry.setAttribute("color", new THREE.BufferAttribute(colours.slice(0, 3 * count), 3));
    geometry.setIndex(new THREE.BufferAttribute(indices, 1));
    return geometry;
}

/** Colours of a generated level: its own, muted. Of a file: by steepness and surface. */
export function levelColours(simulation, isGenerated) {
    const paper = new THREE.Color("#d8d2c6"),
        cache = new Map();
    const file = { floor: "#cfcabd", steep: "#c4a98c", wall: "#b7b4ae", below: "#a5a7ab" };
    const linear = Object.fromEntries(Object.entries(file).map(([key, hex]) => [key, new THREE.Color(hex).toArray()]));
    return (surface, normal) => {
        if (!isGenerated) {
            return linear[normal.y > 0.707 ? "floor" : normal.y > 0.1 ? "steep" : normal.y > -0.1 ? "wall" : "below"];
        }
        if (!cache.has(surface)) {
            cache.set(surface, new THREE.Color(simulation.surfaceColor(surface)).lerp(paper, 0.38).toArray());
        }
        return cache.get(surface);
    };
}

function shade(geometry, colourAt) {
    const { position } = geometry.attributes,
        colours = new Float32Array(3 * position.count);
    for (let i = 0; i < position.count; i++) {
        colours.fill(colourAt(position.getX(i), position.getY(i), position.getZ(i)), 3 * i, 3 * i + 3);
    }
    geometry.setAttribute("color", new THREE.BufferAttribute(colours, 3));
    return geometry;
}

/** The shape of an agent around its centre. It faces z: that side has a dark visor. */
export function personGeometry({ rx, ry, rz, halfHeight }, around, up) {
    const geometry = new THREE.SphereGeometry(1, around, 2 * Math.ceil(up / 2), Math.PI / 2);
    const { position, normal } = geometry.attributes;
    const half = halfHeight + ry;
    for (let i = 0; i < position.count; i++) {
        const [x, y, z] = [position.getX(i), position.getY(i), position.getZ(i)];
        const n = new THREE.Vector3(x / rx, y / ry, z / rz).normalize();
        position.setXYZ(i, x * rx, y * ry + (y > 1e-6 ? halfHeight : y < -1e-6 ? -halfHeight : 0), z * rz);
        normal.setXYZ(i, n.x, n.y, n.z);
    }
    if (halfHeight > 0) {
        splitEquator(geometry, halfHeight);
    }
    const isVisor = (x, y, z) =>
        around > 8 && z > 0.62 * rz * Math.sqrt(Math.max(0, 1 - (y / half) ** 2)) && y > 0.42 * half && y < 0.72 * half;
    return shade(geometry, (x, y, z) =>
        isVisor(x, y, z) ? 0.12 : 0.62 + 0.38 * Math.min(1, (y + half) / (1.2 * half)),
    );
}

// A capsule's core: the ring at the equator moves down and the rows above it up, so that the quads between them are its side.
function splitEquator(geometry, halfHeight) {
    const { position } = geometry.attributes;
    for (let i = 0; i < position.count; i++) {
        if (Math.abs(position.getY(i)) < 1e-6) {
            position.setY(i, -halfHeight);
        }
    }
}

export function discGeometry(radius) {
    return new THREE.CircleGeometry(radius, 10).rotateX(-Math.PI / 2);
}

/** A soft dark disc. */
export function discTexture() {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 64;
    const context = canvas.getContext("2d"),
        fade = context.createRadialGradient(32, 32, 6, 32, 32, 31);
    fade.addColorStop(0, "rgba(24, 30, 38, .55)");
    fade.addColorStop(0.5, "rgba(24, 30, 38, .28)");
    fade.addColorStop(1, "rgba(24, 30, 38, 0)");
    context.fillStyle = fade;
    context.fillRect(0, 0, 64, 64);
    return new THREE.CanvasTexture(canvas);
}

const MATERIAL = { doubleSided: true, pbrMetallicRoughness: { baseColorFactor: [0.1, 0.5, 0.45, 1] } };
const EXTENSIONS = ['KHR_draco_mesh_compression', 'EXT_meshopt_compression'];
const TRIANGLE = [-25, -25, 0, 25, -25, 0, 0, 25, 0];
const POINTS = { componentType: 5126, count: 3, type: 'VEC3', min: [-25, -25, 0], max: [25, 25, 0] };
/** The triangle as Draco and as meshopt compress it. */
const BY_DRACO = 'RFJBQ08CAgEAAAABAwEAAQIBAQAJAwAAAgABAQAJA60qF1UVA6B6gUh/AAAAAAAA/wAAAAAAyMEAAMjBAAAAAAAASEII';
const BY_MESHOPT = 'oAAAAQwAAABwATwAAAD/gQAAAAEMAAAA/wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAyMEAAMjBAAAAAA==';

/** A GLB with a triangle of 50 × 50 units three times: by Draco, by meshopt, and plain. */
export function aModel(): Buffer {
  const parts = [Buffer.from(BY_DRACO, 'base64'), Buffer.from(BY_MESHOPT, 'base64'), floats(TRIANGLE)];
  const padded = parts.map((part) => Buffer.concat([part], aligned(part.length)));
  const places = padded.map((_, at) => Buffer.concat(padded.slice(0, at)).length);
  const [draco, meshopt, ...plain] = parts.map(({ length }, at) => place(0, length, places[at]!));
  const layout = { byteStride: 12, mode: 'ATTRIBUTES', count: 3 };
  const unpacked = {
    ...place(1, 36),
    byteStride: 12,
    extensions: { EXT_meshopt_compression: { ...meshopt, ...layout } },
  };
  const byDraco = { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } } };
  const bytes = Buffer.concat(padded);
  const json = JSON.stringify({
    asset: { version: '2.0' },
    extensionsUsed: EXTENSIONS,
    extensionsRequired: EXTENSIONS,
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [
      {
        primitives: [
          { attributes: { POSITION: 0 }, indices: 1, material: 0, extensions: byDraco },
          { attributes: { POSITION: 2 }, material: 0 },
          { attributes: { POSITION: 3 }, material: 0 },
        ],
      },
    ],
    materials: [MATERIAL],
    accessors: [
      POINTS,
      { componentType: 5125, count: 3, type: 'SCALAR' },
      { bufferView: 1, ...POINTS },
      { bufferView: 2, ...POINTS },
    ],
    bufferViews: [draco, unpacked, ...plain],
    buffers: [
      { byteLength: bytes.length },
      { byteLength: 36, extensions: { EXT_meshopt_compression: { fallback: true } } },
    ],
  });
  const text = Buffer.from(json.padEnd(aligned(json.length)));
  const chunks = Buffer.concat([words(text.length, 0x4e4f534a), text, words(bytes.length, 0x004e4942), bytes]);
  return Buffer.concat([Buffer.from('glTF'), words(2, 12 + chunks.length), chunks]);
}

function place(buffer: number, byteLength: number, byteOffset = 0) {
  return { buffer, byteOffset, byteLength };
}

function aligned(length: number): number {
  return Math.ceil(length / 4) * 4;
}

function floats(values: readonly number[]): Buffer {
  return Buffer.from(new Float32Array(values).buffer);
}

function words(...values: readonly number[]): Buffer {
  return Buffer.from(new Uint32Array(values).buffer);
}

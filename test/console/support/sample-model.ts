/** A GLB with one triangle of 50 × 50 units. */
export function aModel(): Buffer {
  const points = Buffer.from(new Float32Array([-25, -25, 0, 25, -25, 0, 0, 25, 0]).buffer);
  const json = JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
    materials: [{ doubleSided: true, pbrMetallicRoughness: { baseColorFactor: [0.1, 0.5, 0.45, 1] } }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [-25, -25, 0], max: [25, 25, 0] }],
    bufferViews: [{ buffer: 0, byteLength: points.length }],
    buffers: [{ byteLength: points.length }],
  });
  const text = Buffer.from(json.padEnd(Math.ceil(json.length / 4) * 4));
  const chunks = Buffer.concat([header(text.length, 0x4e4f534a), text, header(points.length, 0x004e4942), points]);
  const file = Buffer.alloc(12);
  file.write('glTF');
  file.writeUInt32LE(2, 4);
  file.writeUInt32LE(file.length + chunks.length, 8);
  return Buffer.concat([file, chunks]);
}

function header(length: number, type: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(length, 0);
  bytes.writeUInt32LE(type, 4);
  return bytes;
}

import sharp from 'sharp';

export interface SampleOutput {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly extension: string;
}

export type SampleKind = 'image' | 'svg' | 'glb' | 'video' | 'weights' | 'html';

/** An output of a fake vendor; those of another `seed` are others. */
export async function sampleOutput(kind: SampleKind, seed: number): Promise<SampleOutput> {
  switch (kind) {
    case 'image':
      return { bytes: await aPng(seed), contentType: 'image/png', extension: 'png' };
    case 'svg':
      return { bytes: anSvg(seed), contentType: 'image/svg+xml', extension: 'svg' };
    case 'glb':
      return { bytes: aGlb(seed), contentType: 'model/gltf-binary', extension: 'glb' };
    case 'video':
      return { bytes: await aShortVideo(), contentType: 'video/mp4', extension: 'mp4' };
    case 'weights':
      return { bytes: someWeights(seed), contentType: 'application/octet-stream', extension: 'safetensors' };
    case 'html':
      return { bytes: Buffer.from('<!doctype html><p>Not found</p>'), contentType: 'image/png', extension: 'png' };
  }
}

const colorOf = (seed: number): string => `#${(Math.imul(seed, 2_654_435_761) >>> 8).toString(16).padStart(6, '0')}`;

function aPng(seed: number): Promise<Buffer> {
  const create = { width: 64, height: 64, channels: 3 as const, background: colorOf(seed) };
  return sharp({ create }).png().toBuffer();
}

/** The picture with another colour where the mask is white; twice as large without a mask. */
export async function editedOutput(picture: Buffer, mask: Buffer | null, seed: number): Promise<SampleOutput> {
  const { width, height } = await sharp(picture).metadata();
  const edited = sharp(picture).removeAlpha();
  if (mask) {
    const create = { width, height, channels: 3 as const, background: colorOf(seed) };
    const alpha = await sharp(mask).greyscale().raw().toBuffer();
    const raw = { width, height, channels: 1 as const };
    edited.composite([{ input: await sharp({ create }).joinChannel(alpha, { raw }).png().toBuffer() }]);
  } else edited.resize(width * 2, height * 2);
  return { bytes: await edited.png().toBuffer(), contentType: 'image/png', extension: 'png' };
}

function anSvg(seed: number): Buffer {
  const circle = `<circle cx="32" cy="32" r="24" fill="${colorOf(seed)}"/>`;
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">${circle}</svg>`);
}

/** A binary glTF 2.0 with a triangle: a header, a chunk of JSON filled up with spaces, and one with the three points. */
function aGlb(seed: number): Buffer {
  const points = Buffer.from(new Float32Array([-1, -1, 0, 1, -1, 0, 0, 1, 0]).buffer);
  const gltf = JSON.stringify({
    asset: { version: '2.0', generator: `seed ${seed}` },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [-1, -1, 0], max: [1, 1, 0] }],
    bufferViews: [{ buffer: 0, byteLength: points.length }],
    buffers: [{ byteLength: points.length }],
  });
  const json = Buffer.from(gltf.padEnd(Math.ceil(gltf.length / 4) * 4));
  const chunks = Buffer.concat([aChunk('JSON', json), aChunk('BIN\0', points)]);
  const head = Buffer.from('glTF\x02\0\0\0\0\0\0\0', 'latin1');
  head.writeUInt32LE(head.length + chunks.length, 8);
  return Buffer.concat([head, chunks]);
}

/** A safetensors file with one tensor: the length of a header, the header, and the numbers. */
function someWeights(seed: number): Buffer {
  const numbers = Buffer.from(new Float32Array(64).fill(seed).buffer);
  const tensor = { dtype: 'F32', shape: [64], data_offsets: [0, numbers.length] };
  const header = Buffer.from(JSON.stringify({ __metadata__: { seed: String(seed) }, lora: tensor }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header, numbers]);
}

function aChunk(type: string, bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, Buffer.from(type), bytes]);
}

let shortVideo: Promise<Buffer> | undefined;

/** The same for every seed: encoding takes a while. */
function aShortVideo(): Promise<Buffer> {
  shortVideo ??= import('../sample-video.ts').then(({ aVideo }) => aVideo({ width: 64, height: 48, seconds: 1 }));
  return shortVideo;
}

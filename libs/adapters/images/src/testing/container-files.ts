import sharp, { type Sharp } from 'sharp';
import { photo } from './photo.ts';

/** A file of some container, and its content type. */
export interface ContainerFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

const XMP_OF_OTHERS =
  '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ' +
  'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ' +
  'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag><rdf:li>a fox</rdf:li></rdf:Bag></dc:subject>' +
  '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>';

/** Ways to write each format; of WebP and AVIF also in odd sizes and with transparency. */
const ENCODINGS: Readonly<Record<string, Readonly<Record<string, (from: Sharp) => Sharp>>>> = {
  'image/jpeg': {
    baseline: (from) => from.jpeg(),
    progressive: (from) => from.jpeg({ progressive: true }),
    grey: (from) => from.greyscale().jpeg(),
    CMYK: (from) => from.toColourspace('cmyk').jpeg(),
    '4:4:4': (from) => from.jpeg({ chromaSubsampling: '4:4:4' }),
    optimised: (from) => from.jpeg({ mozjpeg: true }),
  },
  'image/png': {
    plain: (from) => from.png(),
    palette: (from) => from.png({ palette: true }),
    grey: (from) => from.greyscale().toColourspace('b-w').png(),
    '16 bits': (from) => from.toColourspace('rgb16').png(),
    transparent: (from) => from.ensureAlpha(0.5).png(),
    interlaced: (from) => from.png({ progressive: true }),
    uncompressed: (from) => from.png({ compressionLevel: 0 }),
  },
  'image/webp': {
    lossy: (from) => from.webp(),
    'lossy transparent': (from) => from.ensureAlpha(0.5).webp(),
    lossless: (from) => from.webp({ lossless: true }),
    'lossless transparent': (from) => from.ensureAlpha(0.5).webp({ lossless: true }),
    'lossy odd': (from) => from.resize(33, 21, { fit: 'fill' }).webp(),
    'lossless odd': (from) => from.resize(31, 23, { fit: 'fill' }).webp({ lossless: true }),
    'lossless odd transparent': (from) => from.resize(1, 7, { fit: 'fill' }).ensureAlpha(0.5).webp({ lossless: true }),
    'near lossless': (from) => from.webp({ nearLossless: true }),
  },
  'image/gif': {
    plain: (from) => from.gif(),
    'of two colours': (from) => from.gif({ colours: 2 }),
    transparent: (from) => from.ensureAlpha(0).gif(),
  },
  'image/tiff': {
    deflate: (from) => from.tiff({ compression: 'deflate' }),
    LZW: (from) => from.tiff({ compression: 'lzw' }),
    JPEG: (from) => from.tiff({ compression: 'jpeg' }),
    plain: (from) => from.tiff({ compression: 'none' }),
    tiled: (from) => from.tiff({ tile: true, tileWidth: 32, tileHeight: 32 }),
    'of pages of its sizes': (from) => from.tiff({ pyramid: true, tile: true, tileWidth: 16, tileHeight: 16 }),
    transparent: (from) => from.ensureAlpha(0.5).tiff(),
    '16 bits': (from) => from.toColourspace('rgb16').tiff(),
  },
  'image/avif': {
    lossy: (from) => from.avif({ effort: 0 }),
    lossless: (from) => from.avif({ effort: 0, lossless: true }),
    transparent: (from) => from.ensureAlpha(0.5).avif({ effort: 0 }),
    odd: (from) => from.resize(33, 21, { fit: 'fill' }).avif({ effort: 0 }),
    '4:2:0': (from) => from.avif({ effort: 0, chromaSubsampling: '4:2:0' }),
  },
};

/** Metadata that pictures have beside their mark. */
const EXTRAS: Readonly<Record<string, (from: Sharp) => Sharp>> = {
  'with a profile, EXIF and orientation': (from) =>
    from
      .withIccProfile('p3')
      .withExif({ IFD0: { Copyright: 'Somebody' } })
      .withMetadata({ orientation: 6 }),
  'with XMP of others': (from) => from.withXmp(XMP_OF_OTHERS),
};
/** Types that libvips writes no metadata into. */
const WITHOUT_EXTRAS = new Set(['image/gif']);

/** Pictures of each encoding, of each format with metadata, animations, and drawings and models made by hand. */
export async function containerFiles(): Promise<readonly ContainerFile[]> {
  const files: ContainerFile[] = [];
  for (const [type, encodings] of Object.entries(ENCODINGS)) {
    for (const [name, encode] of Object.entries(encodings)) {
      files.push({ name: `${type}, ${name}`, type, bytes: await encode(photo(64, 48, name)).toBuffer() });
    }
    const [first] = Object.values(encodings);
    for (const [name, extra] of Object.entries(WITHOUT_EXTRAS.has(type) ? {} : EXTRAS)) {
      files.push({ name: `${type}, ${name}`, type, bytes: await first!(extra(photo(64, 48, name))).toBuffer() });
    }
  }
  return [...files, ...(await animations()), ...DRAWINGS, ...models()];
}

async function animations(): Promise<readonly ContainerFile[]> {
  const frames = await Promise.all(['one', 'two'].map((seed) => photo(16, 16, seed).png().toBuffer()));
  const animation = () => sharp(frames, { join: { animated: true } });
  const gif = await animation().gif({ loop: 3 }).toBuffer();
  const old = Buffer.from(await photo(16, 16).gif().toBuffer());
  old.write('GIF87a', 'latin1');
  return [
    { name: 'image/gif, animated', type: 'image/gif', bytes: gif },
    { name: 'image/gif, of 1987', type: 'image/gif', bytes: old },
    { name: 'image/gif, without its last byte', type: 'image/gif', bytes: gif.subarray(0, -1) },
    { name: 'image/webp, animated', type: 'image/webp', bytes: await animation().webp().toBuffer() },
  ];
}

const SVG = 'http://www.w3.org/2000/svg';
const SHAPE = '<circle cx="4" cy="2" r="2"/>';
const TEXTS: Readonly<Record<string, string>> = {
  plain: `<svg xmlns="${SVG}" width="8" height="4">${SHAPE}</svg>`,
  'with a declaration': `<?xml version="1.0"?>\n<!-- a > b -->\n<svg width='8' height='4' xmlns='${SVG}'\n>${SHAPE}</svg>`,
  'with a byte order mark': `\uFEFF<svg xmlns="${SVG}" width="8" height="4"><title>Größe</title>${SHAPE}</svg>`,
  'with a document type': `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "">\n<svg xmlns="${SVG}" width="8" height="4">${SHAPE}</svg>`,
  'with metadata of others': `<svg xmlns="${SVG}" width="8" height="4"><metadata><title>a fox</title></metadata>${SHAPE}</svg>`,
  'with XMP of others': `<svg xmlns="${SVG}" width="8"><metadata>${XMP_OF_OTHERS}</metadata>${SHAPE}</svg>`,
};
const DRAWINGS: readonly ContainerFile[] = Object.entries(TEXTS).map(([name, text]) => {
  return { name: `image/svg+xml, ${name}`, type: 'image/svg+xml', bytes: Buffer.from(text) };
});

function models(): readonly ContainerFile[] {
  const asset = { version: '2.0', generator: 'a hand' };
  const files: Readonly<Record<string, Buffer>> = {
    'without buffers': aGlb({ asset }),
    'with a buffer': aGlb(
      { asset, buffers: [{ byteLength: 8 }] },
      Buffer.from('\x01\x02\x03\x04\xff\xfe\0\0', 'latin1'),
    ),
    'with extras': aGlb(
      { asset: { ...asset, extras: { title: 'a fox' } }, scenes: [{ name: 'Größe' }] },
      Buffer.alloc(4),
    ),
  };
  return Object.entries(files).map(([name, bytes]) => {
    return { name: `model/gltf-binary, ${name}`, type: 'model/gltf-binary', bytes };
  });
}

/** @param data of its buffer, of a length that four divides */
export function aGlb(model: object, data: Buffer = Buffer.alloc(0)): Buffer {
  const json = Buffer.from(JSON.stringify(model));
  const padded = Buffer.concat([json, Buffer.from(' '.repeat(-json.length & 3))]);
  const chunk = (type: string, bytes: Buffer) => {
    const head = Buffer.from(`\0\0\0\0${type}`, 'latin1');
    head.writeUInt32LE(bytes.length);
    return Buffer.concat([head, bytes]);
  };
  const chunks = [chunk('JSON', padded), ...(data.length > 0 ? [chunk('BIN\0', data)] : [])];
  const head = Buffer.from('glTF\x02\0\0\0\0\0\0\0', 'latin1');
  head.writeUInt32LE(
    chunks.reduce((sum, { length }) => sum + length, 12),
    8,
  );
  return Buffer.concat([head, ...chunks]);
}

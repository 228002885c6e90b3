import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anSvg, aPng, pngChunk } from '#testing/sources';
import { CONTENT_TYPES } from '#files';
import { MagicFileTypes, MarkedFileTypes } from './magic-file-types.ts';
import { gifOf, tiffOf } from './testing/hostile-pictures.ts';
import { photo } from './testing/photo.ts';

const HEAD = 65_536;
const types = new MagicFileTypes();
/** As callers give it: the beginning, or all of a short file. */
const detect = (bytes: Buffer | string): Promise<string | null> =>
  types.detect(Buffer.from(bytes as string).subarray(0, HEAD));

function mp4(major: string, ...compatible: string[]): Buffer {
  const box = Buffer.from(`\0\0\0\0ftyp${major}\0\0\x02\0${compatible.join('')}`, 'latin1');
  box.writeUInt32BE(box.length);
  return Buffer.concat([box, latin1('\0\0\0\x08free\0\0\0\x08mdat')]);
}

function glb(version = 2, json = '{"asset":{"version":"2.0"}}'): Buffer {
  const head = latin1('glTF\0\0\0\0\0\0\0\0\0\0\0\0JSON');
  head.writeUInt32LE(version, 4);
  head.writeUInt32LE(head.length + json.length, 8);
  head.writeUInt32LE(json.length, 12);
  return Buffer.concat([head, Buffer.from(json)]);
}

const NS = 'xmlns="http://www.w3.org/2000/svg"';
const fbxText = (head: string) => `; FBX 7.7.0 project file\n; ----------------\n\n${head}`;
const longList = (name: string, entry: string) => `"${name}":[${`${entry},`.repeat(4_000)}${entry}]`;
const accessors = longList('accessors', '{"bufferView":0,"componentType":5126,"count":3}');

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const svgWithAll = `\ufeff<?xml version="1.0" encoding="UTF-8"?>
<!-- made -- by hand -->
<?style a?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<!-- > --><svg width='1' ${NS}>`;
const svgEntity = `<!DOCTYPE svg [ <!-- it's ]> --> <!ENTITY ns "http://www.w3.org/2000/svg"> ]><svg xmlns="&ns;">`;
const gltf = {
  assetLast: ' {"scenes":[{"nodes":[0]}],"asset":{"generator":"x","version":"2.0"}}\n',
  long: `{"asset":{"generator":"a \\"b\\" c","version":"2.0"},${accessors}}`,
  withBuffer: `{"buffers":[{"uri":"data:;base64,${'QUJD'.repeat(30_000)}"}]}`,
};
const fbxHeader = 'FBXHeaderExtension:  {\r\n\t; header\r\n\tFBXHeaderVersion: 1004\r\n\tFBXVersion: 7700\r\n}';
const lateFbx = 'Objects: {\n}\nFBXHeaderExtension: {\n FBXVersion: 1';

describe('The type of bytes', () => {
  it.each<[string, string, () => Promise<Buffer> | Buffer | string]>([
    ['image/jpeg', 'a JPEG', () => photo(20, 10).jpeg().toBuffer()],
    ['image/jpeg', 'a JPEG of which only the beginning is known', () => photo(500, 500).jpeg().toBuffer()],
    ['image/png', 'a PNG', () => aPng()],
    ['image/png', 'a PNG of which only the beginning is known', () => photo(500, 500).png().toBuffer()],
    ['image/png', 'an animated PNG', () => withChunk('acTL', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]))],
    ['image/png', 'a PNG with much before its pixels', () => withChunk('iTXt', Buffer.alloc(100_000, 'x'))],
    ['image/webp', 'a WebP', () => photo(20, 10).webp().toBuffer()],
    ['image/gif', 'a GIF', () => gifOf(1)],
    ['image/tiff', 'a TIFF', () => photo(20, 10).tiff().toBuffer()],
    ['image/tiff', 'a big-endian TIFF', () => latin1('MM\0*\0\x01\0\0\0\0\0\0')],
    [
      'image/tiff',
      'a TIFF with its directory at its end',
      () => photo(300, 300).tiff({ compression: 'none' }).toBuffer(),
    ],
    ['image/tiff', 'a TIFF of many pages', () => tiffOf(3_000)],
    ['image/svg+xml', 'an SVG', () => anSvg()],
    ['image/svg+xml', 'an SVG with all that may come first', () => svgWithAll],
    ['image/svg+xml', 'an SVG with a prefix', () => '<s:svg xmlns:s="http://www.w3.org/2000/svg"/>'],
    ['image/svg+xml', 'an SVG that declares its namespace as an entity', () => svgEntity],
    ['image/svg+xml', 'the beginning of an SVG', () => anSvg({ content: '<g/>'.repeat(30_000) })],
    ['video/mp4', 'an MP4', () => mp4('isom', 'isom', 'iso2', 'avc1', 'mp41')],
    ['video/mp4', 'an MP4 of version 2', () => mp4('mp42')],
    ['video/mp4', 'an MP4 of Apple', () => mp4('M4V ', 'M4V ', 'mp42', 'isom')],
    ['video/mp4', 'an MP4 in fragments', () => mp4('iso6', 'iso6', 'dash')],
    ['model/gltf-binary', 'a GLB', () => glb()],
    ['model/gltf+json', 'a glTF', () => '{"asset":{"version":"2.0"},"scenes":[]}'],
    ['model/gltf+json', 'a glTF with asset last', () => gltf.assetLast],
    ['model/gltf+json', 'a long glTF', () => gltf.long],
    ['model/gltf+json', 'a long glTF with asset last', () => `{"scene":0,${accessors},"asset":{"version":"2.0"}}`],
    ['model/gltf+json', 'a glTF with its buffer in it', () => gltf.withBuffer],
    ['application/octet-stream', 'a binary FBX', () => latin1('Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0')],
    ['application/octet-stream', 'an FBX in text', () => fbxText(fbxHeader)],
  ])('is %s: %s', async (type, _what, make) => {
    await expect(detect(await make())).resolves.toBe(type);
  });

  it.each<[string, () => Promise<Buffer> | Buffer | string]>([
    ['nothing', () => ''],
    ['a byte', () => 'x'],
    ['text', () => 'image/png'],
    ['zeros', () => Buffer.alloc(100_000)],
    ['half a signature', () => latin1('\x89PNG\r\n')],
    ['a signature after a space', () => latin1(' \x89PNG\r\n\x1a\n')],
    ['a zip', () => latin1('PK\x03\x04\x14\0\0\0\0\0')],
    ['a PDF', () => '%PDF-1.7\n'],
    ['a JPEG 2000', () => latin1('\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14ftypjp2 ')],
    ['a WAV', () => latin1('RIFF\x24\0\0\0WAVEfmt ')],
    ['an AVIF', () => photo(16, 16).avif().toBuffer()],
    ['an AVIF by its brands', () => mp4('avif', 'avif', 'mif1', 'miaf')],
    ['an AVIF that begins like an MP4', () => mp4('isom', 'avis', 'msf1')],
    ['a HEIC', () => mp4('heic', 'mif1', 'heic')],
    ['a HEIF', () => mp4('mif1', 'mif1', 'heic')],
    ['a QuickTime film', () => mp4('qt  ', 'qt  ')],
    ['sound of Apple', () => mp4('M4A ', 'M4A ', 'mp42', 'isom')],
    ['a raw photograph of Canon', () => mp4('crx ', 'crx ', 'isom')],
    ['a film of no brand', () => mp4('    ')],
    ['a file type box without end', () => latin1('\xff\xff\xff\xf0ftypisom\0\0\0\0')],
    ['an old raw photograph of Canon', () => latin1('II*\0\x10\0\xff\xffCR\x02\0\0\0\0\0')],
    ['a GLB of version 1', () => glb(1)],
    ['a GLB signature alone', () => glb().subarray(0, 12)],
    ['a GLB that is shorter than its JSON', () => Buffer.from(glb()).fill(0, 8, 12)],
    ['a page', () => '<!DOCTYPE html><html><body><svg xmlns="http://www.w3.org/2000/svg"/></body></html>'],
    ['a page that calls itself an SVG', () => `<!DOCTYPE svg><html ${NS}>`],
    ['XML', () => '<?xml version="1.0"?><note/>'],
    ['an element whose name only begins like an SVG', () => `<svgfont ${NS}>`],
    ['an SVG without its namespace', () => '<svg width="1" height="1"></svg>'],
    ['an SVG with another namespace', () => '<svg xmlns="http://www.w3.org/1999/xhtml"></svg>'],
    ['an SVG whose prefix means something else', () => `<s:svg xmlns:s="urn:x" ${NS}></s:svg>`],
    ['an SVG in a comment', () => `<!-- <svg ${NS}/> -->`],
    ['an SVG in quotes', () => `"<svg ${NS}/>"`],
    ['a comment without end', () => '<!--'.repeat(20_000)],
    ['declarations without end', () => `<!DOCTYPE svg [${'<!--'.repeat(16_000)}`],
    ['quotes without end', () => `<!DOCTYPE svg [${`"'`.repeat(30_000)}`],
    ['a compressed SVG', () => latin1('\x1f\x8b\x08\0\0\0\0\0')],
    ['JSON', () => '{"version":"2.0"}'],
    ['a list', () => '[{"asset":{"version":"2.0"}}]'],
    ['a version that is no text', () => '{"asset":{"version":2}}'],
    ['a glTF that ends too early', () => '{"asset":{"version":"2.0"}'],
    ['a glTF with something after it', () => '{"asset":{"version":"2.0"}} x'],
    ['long JSON of another kind', () => `{"links":[],${longList('nodes', '{"id":1}')}}`],
    ['long JSON with common names only', () => `{"scene":1,${longList('nodes', '{"id":1}')}}`],
    ['long JSON with one strange name', () => `{"type":"x",${accessors}}`],
    ['a long list', () => `[${accessors.slice(12)}`],
    ['long JSON with the wrong brackets', () => `{"extras":[1},${accessors}}`],
    ['long JSON that is over early', () => `{"buffers":[]} ${accessors}`],
    ['long JSON with rubbish in it', () => `{"buffers":[],rubbish ${accessors}}`],
    ['JSON without depth', () => '['.repeat(100_000)],
    ['an FBX signature alone', () => latin1('Kaydara FBX Binary  \0\x1a\0')],
    ['an FBX signature that is off by one', () => latin1('Kaydara FBX Binary \0\x1a\0\xe8\x1c\0\0')],
    ['a comment about FBX', () => fbxText('Nothing here')],
    ['an FBX without a version', () => fbxText('FBXHeaderExtension:  {\n\tCreator: "x"\n}')],
    ['an FBX that begins with other nodes', () => fbxText(lateFbx)],
  ])('is not known, soon: %s', async (_what, make) => {
    const bytes = await make();
    const before = process.threadCpuUsage();
    await expect(detect(bytes)).resolves.toBeNull();
    expect(process.threadCpuUsage(before).user).toBeLessThan(500_000);
  });

  it('is a known one or none, whatever the bytes', async () => {
    const beginnings = [aPng(), gifOf(2), tiffOf(2), anSvg(), mp4('isom', 'mp42'), glb(), `{"asset":{}}`];
    const signatures = ['RIFF\x10\0\0\0WEBP', 'MM\0*', 'ID3\x04', 'OggS', 'PK\x03\x04', '0&\xb2u\x8ef\xcf\x11'];
    const start = fc.constantFrom(
      ...beginnings.map((bytes) => Buffer.from(bytes as string)),
      ...signatures.map(latin1),
    );
    const known: readonly (string | null)[] = [...Object.values(CONTENT_TYPES), null];
    await fc.assert(
      fc.asyncProperty(start, fc.nat(60), fc.uint8Array({ maxLength: 300 }), async (bytes, kept, rest) => {
        expect(known).toContain(await detect(Buffer.concat([bytes.subarray(0, kept), rest])));
      }),
      { numRuns: 500 },
    );
  });
});

it('the types whose marks can be read are also those of AVIF and HEIF', async () => {
  const marked = new MarkedFileTypes();
  expect(await marked.detect(await photo(16, 16).avif().toBuffer())).toBe('image/avif');
  expect(await marked.detect(mp4('heic', 'mif1', 'heic'))).toBe('image/heic');
  expect(await marked.detect(aPng())).toBe('image/png');
  for (const other of [mp4('qt  ', 'qt  '), Buffer.from('text')]) expect(await marked.detect(other)).toBeNull();
});

/** A PNG with one more chunk right after its header. */
function withChunk(type: string, data: Buffer): Buffer {
  const png = aPng();
  return Buffer.concat([png.subarray(0, 33), pngChunk(type, data), png.subarray(33)]);
}

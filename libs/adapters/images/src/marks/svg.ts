import { readSvgHead } from '../types/svg-head.ts';
import { PictureTooLarge, UnreadablePicture, type Reader } from '../strip/reader.ts';
import { MAX_PACKET_BYTES, MAX_PACKETS, replaced, type Scan } from './scan.ts';

/** Larger drawings are not rendered either. */
const MAX_BYTES = 16 * 1024 * 1024;
const OPENING = '<rdf:RDF';
const CLOSING = '</rdf:RDF>';

/** The text of an SVG: XMP is an element of its first element. (XMP part 3, 1.1; C2PA, A.3.) */
export function scanSvg(file: Reader, size: number): Scan {
  if (size > MAX_BYTES) throw new PictureTooLarge(`an SVG of ${size} bytes`);
  const bytes = Buffer.from(file.exactly(0, size));
  const head = readSvgHead(bytes);
  if (!head) throw new UnreadablePicture('not an SVG');
  const found = elementsIn(bytes);
  const manifest = bytes.indexOf('<c2pa:manifest');
  return {
    packets: found.slice(0, MAX_PACKETS).map(({ start, end }) => {
      const text = bytes.toString('utf8', start, Math.min(end, start + MAX_PACKET_BYTES));
      return { text, isWhole: end - start <= MAX_PACKET_BYTES };
    }),
    signature: manifest === -1 ? null : bytes.toString('latin1', manifest, manifest + MAX_PACKET_BYTES),
    hasPosition: false,
    put: (packet) => {
      const [own] = found;
      if (own) return replaced(own, packet);
      const { content, prefix } = head;
      if (content === null) return null;
      const element = `${prefix}metadata`;
      const metadata = Buffer.concat([Buffer.from(`<${element}>`), packet, Buffer.from(`</${element}>`)]);
      return replaced({ start: content, end: content }, metadata);
    },
  };
}

function elementsIn(bytes: Buffer) {
  const found = [];
  for (let at = 0; ;) {
    const start = bytes.indexOf(OPENING, at);
    const end = start === -1 ? -1 : bytes.indexOf(CLOSING, start);
    if (end === -1) return found;
    at = end + CLOSING.length;
    found.push({ start, end: at });
  }
}

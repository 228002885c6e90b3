/** The digital source types of IPTC that outputs have: made from words alone, or with a picture as an input. */
export type DigitalSource = 'trainedAlgorithmicMedia' | 'compositeWithTrainedAlgorithmicMedia';

/**
 * How a file came to the mark that its bytes have or lack: the service wrote it, or also signed it; the bytes carried a
 * signature or a mark and stayed as they were; the container can't take one; a signature was dropped, as a position had to
 * be removed.
 */
export const MARKINGS = ['marked', 'signed', 'kept', 'unmarked', 'signature_dropped'] as const;
export type Marking = (typeof MARKINGS)[number];

/** A mark that the service writes. */
export interface Mark {
  readonly source: DigitalSource;
  /** Name of the installation. */
  readonly name: string;
  /** `null` for a trial. */
  readonly generationId: number | null;
  /** The model, which signed manifests name. */
  readonly model?: string;
}

/** The provenance in the bytes of a file; `null` for what they do not say. */
export interface Provenance {
  /** A URI. */
  readonly digitalSource: string | null;
  readonly creatorTool: string | null;
  readonly identifier: string | null;
  readonly credit: string | null;
}

export const NO_PROVENANCE: Provenance = { digitalSource: null, creatorTool: null, identifier: null, credit: null };

const IPTC_SOURCES = 'http://cv.iptc.org/newscodes/digitalsourcetype/';
const GENERATION = /^generation (\d{1,15})$/;
const MAX_VALUE_LENGTH = 2_000;

export function digitalSourceOf({ hasPictures }: { readonly hasPictures: boolean }): DigitalSource {
  return hasPictures ? 'compositeWithTrainedAlgorithmicMedia' : 'trainedAlgorithmicMedia';
}

/** The URI of a digital source type. */
export function digitalSourceUri(source: DigitalSource): string {
  return IPTC_SOURCES + source;
}

/**
 * The digital source type of a file by the generation that it is an output of, as a URI.
 *
 * @param hasPictures true if a picture went into that generation; `null` for no output
 */
export function outputSourceUri(hasPictures: boolean | null): string | null {
  return hasPictures === null ? null : digitalSourceUri(digitalSourceOf({ hasPictures }));
}

export function provenanceOf({ source, name, generationId }: Mark): Provenance {
  const identifier = generationId === null ? null : `generation ${generationId}`;
  return { digitalSource: digitalSourceUri(source), creatorTool: name, identifier, credit: null };
}

/** The id of the generation that `provenanceOf` names; `null` for identifiers of others. */
export function generationIdOf({ identifier }: Pick<Provenance, 'identifier'>): number | null {
  const id = GENERATION.exec(identifier ?? '')?.[1];
  return id === undefined ? null : Number(id);
}

/** The digital source type that a manifest of C2PA names: that of an AI system, if there are several. */
export function digitalSourceInManifest(manifest: string): string | null {
  const sources = [...manifest.matchAll(/http:\/\/cv\.iptc\.org\/newscodes\/digitalsourcetype\/[A-Za-z]{1,100}/g)];
  const uris = sources.map(([uri]) => uri);
  return uris.find((uri) => /AlgorithmicMedia$/i.test(uri)) ?? uris[0] ?? null;
}

/** Each property with its prefix and namespace, in the order in which it is written. */
const PROPERTIES = [
  ['digitalSource', 'Iptc4xmpExt:DigitalSourceType', 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/'],
  ['creatorTool', 'xmp:CreatorTool', 'http://ns.adobe.com/xap/1.0/'],
  ['identifier', 'dc:identifier', 'http://purl.org/dc/elements/1.1/'],
  ['credit', 'photoshop:Credit', 'http://ns.adobe.com/photoshop/1.0/'],
] as const;

/** A packet of XMP, in ASCII. */
export function xmpPacketOf(provenance: Provenance): string {
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/">${rdfOf(provenance)}</x:xmpmeta>`;
  return `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>${xmp}<?xpacket end="w"?>`;
}

/** XMP as an element of an XML document: programs would take one with a packet inside for XMP as a whole. */
export function rdfOf(provenance: Provenance): string {
  const namespace = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
  return `<rdf:RDF xmlns:rdf="${namespace}">${descriptionOf(provenance)}</rdf:RDF>`;
}

/**
 * Adds what `xmp` does not say yet to its description.
 *
 * @returns `null` when that has no place for it
 */
export function withProvenance(xmp: string, provenance: Provenance): string | null {
  const end = xmp.lastIndexOf('</rdf:RDF>');
  if (end === -1 || xmp.indexOf('</rdf:RDF>') !== end) return null;
  const said = provenanceIn(xmp);
  // A property may stand once only.
  const added = Object.entries(provenance).map(([name, value]) => [
    name,
    said[name as keyof Provenance] ? null : value,
  ]);
  return xmp.slice(0, end) + descriptionOf(Object.fromEntries(added) as unknown as Provenance) + xmp.slice(end);
}

function descriptionOf(provenance: Provenance): string {
  const given = PROPERTIES.filter(([property]) => provenance[property] !== null);
  const written = given.map(([property, name, namespace]) => {
    return ` xmlns:${name.split(':')[0]}="${namespace}" ${name}="${escaped(provenance[property]!)}"`;
  });
  return `<rdf:Description rdf:about=""${written.join('')}/>`;
}

/** Any character but plain ASCII as a reference; without those that XML does not have. */
function escaped(text: string): string {
  const clean = text.toWellFormed().replace(/[\0-\x1f\x7f\uFFFE\uFFFF]/g, ' ');
  return clean.replace(/[^ -~]|[&<>"']/gu, (character) => `&#x${character.codePointAt(0)!.toString(16)};`);
}

/** An unterminated part goes on to the end, so that matching does not begin again inside it. */
const PART =
  /<!--(?:[^]*?-->|[^]*)|<!\[CDATA\[(?:[^]*?\]\]>|[^]*)|<\?(?:[^]*?\?>|[^]*)|<((?:"[^"]*"|'[^']*'|[^"'<>])*)>/g;
const ATTRIBUTE = /\s(?:[\w.-]+:)?([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** The provenance that XMP says, as attributes or elements. The first value counts. */
export function provenanceIn(xmp: string): Provenance {
  const found: Record<keyof Provenance, string | null> = { ...NO_PROVENANCE };
  const take = (name: string | undefined, value: string | undefined) => {
    const property = PROPERTIES.find(([, qualified]) => qualified.split(':')[1] === name)?.[0];
    const text = value === undefined ? '' : unescaped(value).trim().slice(0, MAX_VALUE_LENGTH);
    if (property && text !== '') found[property] ??= text;
  };
  for (const { 1: tag, index, 0: part } of xmp.matchAll(PART)) {
    if (tag === undefined || tag.startsWith('/')) continue;
    const element = /^(?:[\w.-]+:)?([\w.-]+)/.exec(tag)?.[1];
    for (const [, name, double, single] of tag.matchAll(ATTRIBUTE)) {
      take(name === 'resource' ? element : name, double ?? single);
    }
    if (!tag.endsWith('/')) take(element, textAt(xmp, index + part.length));
  }
  return found;
}

/** The text of an element, or of the first item of its list. */
function textAt(xmp: string, start: number): string | undefined {
  const text = xmp.slice(start, start + MAX_VALUE_LENGTH);
  return /^(?:\s*<rdf:(?:Bag|Seq|Alt)[^<>]*>\s*<rdf:li[^<>]*>)?([^<]*)/.exec(text)?.[1];
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (reference, hex, decimal, name: string) => {
    if (name) return ENTITIES[name] ?? reference;
    const code = hex ? Number.parseInt(hex as string, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : reference;
  });
}

/** Reports whether XMP has a position. */
export function hasPositionIn(xmp: string): boolean {
  return /\bGPS(?:Latitude|Longitude|Position|DestLatitude|DestLongitude)\b/.test(xmp);
}

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

const MISC = /\s+|<\?[^]*?\?>|<!--[^]*?-->/y;
const DOCTYPE_START = /<!DOCTYPE\s+(?:[\w.-]+:)?svg(?=[\s[>])(?:"[^"]*"|'[^']*'|[^"'[>])*/y;
/** An unterminated comment or instruction does not match, so that matching does not restart inside it. */
const SUBSET_PART = /<!--[^]*?-->|<\?[^]*?\?>|"[^"]*"|'[^']*'|(?!<!--|<\?)[^"'\]]/y;
const DOCTYPE_END = /\s*>/y;
const ROOT = /<(?:([A-Za-z_][\w.-]*):)?svg(?=[\s/>])/y;
const ATTRIBUTE = /\s+([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;

const TAG_END = /\s*>/y;

/** The beginning of an SVG document. */
export interface SvgHead {
  /** Only declarations of the DOCTYPE can declare entities. */
  readonly hasDeclarations: boolean;
  /** The byte at which the content of the root element begins; `null` if it has none. */
  readonly content: number | null;
  /** Prefix of the names of its elements, with the colon. */
  readonly prefix: string;
}

/** Reads (the beginning of) an SVG document; `null` for anything else. */
export function readSvgHead(bytes: Buffer): SvgHead | null {
  // All tokens are ASCII, which every encoding in use contains.
  const text = bytes.toString('latin1');
  const reader = new Reader(text, text.startsWith('ï»¿') ? 3 : 0);
  reader.skip(MISC);
  let hasDeclarations = false;
  if (reader.take(DOCTYPE_START)) {
    if (reader.takeText('[')) {
      hasDeclarations = true;
      reader.skip(SUBSET_PART);
      if (!reader.takeText(']')) return null;
    }
    if (!reader.take(DOCTYPE_END)) return null;
    reader.skip(MISC);
  }
  const root = reader.take(ROOT);
  if (!root || !isSvgNamespace(namespaceOf(reader, root[1]))) return null;
  reader.skip(ATTRIBUTE);
  const end = reader.take(TAG_END);
  return { hasDeclarations, content: end && end.index + end[0].length, prefix: root[1] ? `${root[1]}:` : '' };
}

function namespaceOf(reader: Reader, prefix: string | undefined): string | undefined {
  const wanted = prefix === undefined ? 'xmlns' : `xmlns:${prefix}`;
  for (;;) {
    const attribute = reader.take(ATTRIBUTE);
    if (!attribute) return undefined;
    if (attribute[1] === wanted) return attribute[2] ?? attribute[3];
  }
}

/** Some programs declare entities for namespaces. */
function isSvgNamespace(value: string | undefined): boolean {
  return value === SVG_NAMESPACE || /^&[\w.-]+;$/.test(value ?? '');
}

class Reader {
  #at: number;

  constructor(
    private readonly text: string,
    start: number,
  ) {
    this.#at = start;
  }

  take(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.#at;
    const match = sticky.exec(this.text);
    if (match) this.#at = sticky.lastIndex;
    return match;
  }

  takeText(text: string): boolean {
    if (!this.text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  skip(sticky: RegExp): void {
    while (this.take(sticky));
  }
}

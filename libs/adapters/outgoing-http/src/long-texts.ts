const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Replaces each JSON string of more than `maxBytes` by an empty one while the bytes arrive, so that pictures in a list
 * need no memory. Input that is not JSON passes in some form.
 */
export async function* withoutLongTexts(json: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  /** The string that is being read; `null` outside of strings. */
  let text: ShortText | null = null;
  let isEscaped = false;
  for await (const chunk of json) {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (isEscaped) isEscaped = false;
      else if (text && byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) {
        const part = chunk.subarray(start, at);
        if (text) {
          text.add(part);
          yield* text.parts;
        } else yield part;
        text = text ? null : new ShortText(maxBytes);
        yield chunk.subarray(at, at + 1);
        start = at + 1;
      }
    }
    const rest = chunk.subarray(start);
    if (text) text.add(rest);
    else yield rest;
  }
}

class ShortText {
  /** Empty once the string is too long. */
  parts: Buffer[] = [];
  #bytes = 0;

  constructor(private readonly maxBytes: number) {}

  add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.maxBytes) this.parts = [];
    else this.parts.push(part);
  }
}

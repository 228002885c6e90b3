const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * JSON as it arrives, with each text of more than `maxBytes` as an empty one: so the pictures in a list need no memory.
 * What is no JSON passes in some form.
 */
export async function* withoutLongTexts(json: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  /** The text that is read now; `null` outside of texts. */
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
  /** None, once it is too long. */
  parts: Buffer[] = [];
  #bytes = 0;

  constructor(private readonly maxBytes: number) {}

  add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.maxBytes) this.parts = [];
    else this.parts.push(part);
  }
}

import { RE2JS } from 're2js';

/**
 * The work of one validation: characters of text times the size of their patterns. At most 0.2 s; a pattern of usual size
 * takes texts of tens of thousands of characters.
 */
const MAX_STEPS = 3_000_000;

interface Pattern {
  test(text: string): boolean;
  /** Ajv takes patterns with the same text for the same one. */
  toString(): string;
}

/**
 * Runs the patterns of a catalogue in a time that is proportional to the text, by RE2: with the engine of JavaScript,
 * `^(a+)+$` takes minutes for 40 characters that a caller chooses.
 */
export class LinearPatterns {
  #steps = 0;

  /** For Ajv, as `code.regExp`. A pattern without look-around and back-references; others throw. */
  readonly engine: ((pattern: string) => Pattern) & { readonly code: string };

  constructor() {
    this.engine = Object.assign((pattern: string) => this.#compile(pattern), { code: 're2js' });
  }

  /** Before each validation. */
  begin(): void {
    this.#steps = 0;
  }

  #compile(pattern: string): Pattern {
    const compiled = compile(pattern);
    const size = compiled.programSize();
    return {
      test: (text) => {
        this.#steps += text.length * size;
        return this.#steps <= MAX_STEPS && compiled.test(text);
      },
      toString: () => pattern,
    };
  }
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (cause) {
    const reason = (cause as Error).message.replace('error parsing regexp: ', '');
    throw new Error(`the pattern can not be run in linear time: ${reason}`, { cause });
  }
}

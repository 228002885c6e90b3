import { RE2JS } from 're2js';

/** Longer ones take seconds to compile. */
const MAX_PATTERN = 1000;

/**
 * Maximum work of one validation: characters of text times the size of their patterns. It takes at most 0.2 s, and allows
 * texts of tens of thousands of characters with usual patterns.
 */
const MAX_STEPS = 3_000_000;

interface Pattern {
  test(text: string): boolean;
  /** Ajv treats patterns with the same text as equal. */
  toString(): string;
}

/**
 * Runs the patterns of a catalogue in linear time, by RE2. JavaScript's engine takes minutes for `^(a+)+$` and 40
 * characters chosen by a caller.
 */
export class LinearPatterns {
  #steps = 0;

  /** For Ajv, as `code.regExp`. Throws for a pattern with look-around or back-references. */
  readonly engine: ((pattern: string) => Pattern) & { readonly code: string };

  constructor() {
    this.engine = Object.assign((pattern: string) => this.#compile(pattern), { code: 're2js' });
  }

  /** Must be called before each validation. */
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
  if (pattern.length > MAX_PATTERN) throw new Error(`the pattern has more than ${MAX_PATTERN} characters`);
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (cause) {
    const reason = (cause as Error).message.replace('error parsing regexp: ', '');
    throw new Error(`the pattern cannot be run in linear time: ${reason}`, { cause });
  }
}

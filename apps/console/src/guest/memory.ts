/** Texts that the browser keeps: empty without one. Without storage the page itself keeps them. */
export class Memory {
  readonly #kept = new Map<string, string>();

  /** @param storage is read late: browsers may refuse it */
  constructor(
    private readonly storage: () => Storage,
    private readonly prefix: string,
  ) {}

  read(name: string): string {
    try {
      return this.#kept.get(name) ?? this.storage().getItem(this.prefix + name) ?? '';
    } catch {
      return '';
    }
  }

  write(name: string, text: string): void {
    this.#kept.set(name, text);
    try {
      if (text === '') this.storage().removeItem(this.prefix + name);
      else this.storage().setItem(this.prefix + name, text);
    } catch {
      // Kept above.
    }
  }
}

/** Texts that outlive a visit. */
export const memory = new Memory(() => localStorage, 'guest ');

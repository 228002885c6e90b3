const kept = new Map<string, string>();

/** Texts that a browser remembers of this page: empty without one. Without storage the page itself keeps them. */
export const memory = {
  read(name: string): string {
    try {
      return kept.get(name) ?? localStorage.getItem(`guest ${name}`) ?? '';
    } catch {
      return kept.get(name) ?? '';
    }
  },

  write(name: string, text: string): void {
    kept.set(name, text);
    try {
      localStorage.setItem(`guest ${name}`, text);
    } catch {
      // Kept above.
    }
  },
};

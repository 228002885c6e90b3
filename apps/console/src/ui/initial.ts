/** A character of ASCII at the start, which no combining mark follows. */
const PLAIN = /^[!-~](?=[ -~]|$)/;

/** The first character of a name in any script, for avatars. */
export function initialOf(name: string): string {
  const trimmed = name.trim();
  // Intl.Segmenter takes 5 ms to load, and most names do not need it.
  const [first] = PLAIN.exec(trimmed) ?? [...new Intl.Segmenter().segment(trimmed)].map(({ segment }) => segment);
  return first?.toUpperCase() ?? '?';
}

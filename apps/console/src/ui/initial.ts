/** A character of ASCII at the start, which no combining mark follows. */
const PLAIN = /^[!-~](?=[ -~]|$)/;

/** What stands for somebody where their name has no room: its first character, of any script. */
export function initialOf(name: string): string {
  const trimmed = name.trim();
  // Loading the rules of all scripts takes 5 ms, which most names do not need.
  const [first] = PLAIN.exec(trimmed) ?? [...new Intl.Segmenter().segment(trimmed)].map(({ segment }) => segment);
  return first?.toUpperCase() ?? '?';
}

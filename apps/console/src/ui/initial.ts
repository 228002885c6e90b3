const PLAIN = /^[!-~](?=[ -~]|$)/;

/** What stands for somebody where their name has no room: its first character, of any script. */
export function initialOf(name: string): string {
  const trimmed = name.trim();
  // A segmenter loads the rules of all scripts: 5 ms of the first view.
  const [first] = PLAIN.exec(trimmed) ?? [...new Intl.Segmenter().segment(trimmed)].map(({ segment }) => segment);
  return first?.toUpperCase() ?? '?';
}

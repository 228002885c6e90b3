/** What stands for somebody where their name has no room: its first character, of any script. */
export function initialOf(name: string): string {
  return [...new Intl.Segmenter().segment(name.trim())][0]?.segment.toUpperCase() ?? '?';
}

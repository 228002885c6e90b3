/** Texts that are being written, by what they are about: a form may go while others change the board, and come back. */
const drafts = new Map<string, string>();

export function draftOf(key: string): string | undefined {
  return drafts.get(key);
}

export function hasDraft(key: string): boolean {
  return drafts.has(key);
}

export function keepDraft(key: string, text: string): void {
  if (text.trim() === '') drafts.delete(key);
  else drafts.set(key, text);
}

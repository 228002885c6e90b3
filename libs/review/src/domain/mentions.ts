/** A person who can be mentioned. */
export interface Mentionable {
  readonly userId: number;
  readonly name: string | null;
  readonly email: string;
}

/** No more people are mentioned by one comment. */
export const MAX_MENTIONS = 20;
/** Further `@` of a text are not read. */
const MAX_MARKS = 100;

/**
 * The people whom a text mentions as `@name`, in the order of the text, each once. A person is found by name or, also
 * without a name, by the part of the e-mail before the `@`; upper and lower case are the same, and the longest name that
 * fits counts. People of one name are all mentioned.
 *
 * @returns user ids
 */
export function mentionsIn(text: string, people: readonly Mentionable[]): readonly number[] {
  const names = namesOf(people);
  const folded = fold(text);
  const found = new Set<number>();
  const marks = [...folded.matchAll(/(?<![\p{L}\p{N}_.@])@/gu)].slice(0, MAX_MARKS);
  for (const { index } of marks) {
    const rest = folded.slice(index + 1);
    const [longest] = names.filter(({ name }) => rest.startsWith(name) && endsAt(rest, name.length));
    for (const userId of longest?.userIds ?? []) if (found.size < MAX_MENTIONS) found.add(userId);
  }
  return [...found];
}

/** The longest first. */
function namesOf(people: readonly Mentionable[]): { readonly name: string; readonly userIds: readonly number[] }[] {
  const userIds = new Map<string, number[]>();
  for (const { userId, name, email } of people) {
    for (const each of new Set([name?.trim() ?? '', email.slice(0, email.lastIndexOf('@'))].map(fold))) {
      if (each !== '') userIds.set(each, [...(userIds.get(each) ?? []), userId]);
    }
  }
  return [...userIds].map(([name, ids]) => ({ name, userIds: ids })).sort((a, b) => b.name.length - a.name.length);
}

function endsAt(text: string, length: number): boolean {
  return !/^[\p{L}\p{N}_]/u.test(text.slice(length));
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

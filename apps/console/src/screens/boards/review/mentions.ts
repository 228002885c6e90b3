/** A member whom a comment can mention. */
export interface Person {
  readonly id: number;
  readonly name: string | null;
  readonly email: string;
}

/** The mention that is being written. */
export interface Mark {
  /** The place of the `@`. */
  readonly start: number;
  /** Behind the word, which may go on after the caret. */
  readonly end: number;
  /** Text between the `@` and the caret. */
  readonly typed: string;
}

export const MOST_SUGGESTED = 5;

/** The word before the caret, if it begins with an `@` that the service reads as a mention. */
const MARK = /(?<![\p{L}\p{N}_.@])@([^\s@]*)$/u;
const REST_OF_WORD = /^[\p{L}\p{N}_]*/u;

/** The mention that is being written at the caret; null if there is none. */
export function markAt(text: string, caret: number): Mark | null {
  const found = MARK.exec(text.slice(0, caret));
  if (!found) return null;
  const rest = REST_OF_WORD.exec(text.slice(caret))![0];
  return { start: found.index, end: caret + rest.length, typed: found[1]! };
}

/** The people whose name or e-mail begins with what is typed, in the order of the alphabet. */
export function suggestionsFor(typed: string, people: readonly Person[]): readonly Person[] {
  const wanted = folded(typed);
  return people
    .filter((person) => namesOf(person).some((name) => folded(name).startsWith(wanted)))
    .sort((a, b) => namesOf(a)[0]!.localeCompare(namesOf(b)[0]!))
    .slice(0, MOST_SUGGESTED);
}

/**
 * The text with a mention of the person in place of the mark, and the place of the caret behind it. The mention is the name
 * or the part of the e-mail before the `@`: the first that nobody else has.
 */
export function withMention(text: string, { start, end }: Mark, person: Person, people: readonly Person[]) {
  const others = people.filter(({ id }) => id !== person.id).flatMap(namesOf);
  const isOwn = (name: string) => !others.some((other) => sameCase(other) === sameCase(name));
  const names = namesOf(person);
  const before = `${text.slice(0, start)}@${names.find(isOwn) ?? names[0]} `;
  return { text: before + text.slice(end).replace(/^ /, ''), caret: before.length };
}

/** Texts that the service finds a person by. */
function namesOf({ name, email }: Person): readonly string[] {
  return [name?.trim() ?? '', email.slice(0, email.lastIndexOf('@'))].filter(Boolean);
}

/** As the service compares names. */
function sameCase(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Without accents, too: they are not easily typed on every keyboard. */
function folded(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

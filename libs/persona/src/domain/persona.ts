import { invalidField } from '#kernel';
import { assertAtMost } from './text.ts';

/** What a caller may say of a persona. */
export interface PersonaProfile {
  readonly name: string;
  readonly title: string | null;
  /** What the persona knows, in free text. */
  readonly knows: string | null;
  readonly profession: string | null;
}

/** A persona that is not deleted. */
export interface Persona extends PersonaProfile {
  readonly id: number;
  readonly workspaceId: number;
  /** User id of who made it. */
  readonly createdBy: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Characters, after trimming. */
export const MAX_PERSONA_NAME = 100;
/** Characters of `title`, `knows` and `profession`, each. */
export const MAX_PROFILE_TEXT = 10_000;

/** The persona that every newcomer gets. */
export const DEFAULT_PERSONA_NAME = 'Default';
/** The name of a persona that was made without one. */
export const UNNAMED_PERSONA = 'Untitled';

/**
 * The parts of a profile that were given, as they are kept: the name without white space around it.
 *
 * @throws DomainError `validation_failed`
 */
export function checkedProfile<Given extends Partial<PersonaProfile>>(given: Given): Given {
  for (const field of ['title', 'knows', 'profession'] as const) {
    assertAtMost(MAX_PROFILE_TEXT, field, given[field]);
  }
  if (given.name === undefined) return given;
  return { ...given, name: checkedName(given.name) };
}

function checkedName(given: string): string {
  const name = given.trim();
  const length = [...name].length;
  if (length < 1 || length > MAX_PERSONA_NAME || /\p{Cc}/u.test(name)) {
    throw invalidField('name', `must have 1 to ${MAX_PERSONA_NAME} characters, on one line`);
  }
  return name;
}

import { invalidField, type CustomData } from '#kernel';

/** The fields of a persona that callers write. */
export interface PersonaProfile {
  readonly name: string;
  readonly title: string | null;
  /** Knowledge of the persona, in free text. */
  readonly knows: string | null;
  readonly profession: string | null;
}

/** A persona that is not deleted. */
export interface Persona extends PersonaProfile, CustomData {
  readonly id: number;
  readonly workspaceId: number;
  /** User id of the creator. */
  readonly createdBy: number;
  readonly createdAt: Date;
  /** When its profile, its trainings or its outputs last changed. */
  readonly updatedAt: Date;
}

/** Characters, after trimming. */
export const MAX_PERSONA_NAME = 100;
/** Characters of `title`, `knows` and `profession`, each. */
export const MAX_PROFILE_TEXT = 10_000;

/** Name of a user's first persona, which is created with the account or when it is needed. */
export const DEFAULT_PERSONA_NAME = 'Default';
/** Name of a persona created without a name. */
export const UNNAMED_PERSONA = 'Untitled';

/**
 * Validates the given fields of a profile and trims the name.
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

/** @throws DomainError `validation_failed` for a text of more than `maximum` code points */
export function assertAtMost(maximum: number, field: string, text: string | null | undefined): void {
  if (text && [...text].length > maximum) throw invalidField(field, `must have at most ${maximum} characters`);
}

import { fieldProblem, X12Error } from '../../api/index.ts';
import { type Body, type Draft, isMissing } from './draft.ts';

/** Why the form can not be generated. */
export interface Problems {
  /** Sentences by field of the request. */
  readonly fields: Readonly<Record<string, string>>;
  /** What belongs to no field. */
  readonly other: unknown;
}

/** A start that failed. */
export interface Refusal {
  readonly asked: Body;
  readonly error: unknown;
}

export type Labels = Readonly<Record<string, string>>;

const NONE: Problems = { fields: {}, other: null };

/**
 * @param asked the request that the error is about
 * @param now the request for the form as it is: a message stays until its field is changed
 * @param labels of the fields that can show a message, by name
 */
export function problemsOf(error: unknown, asked: Body, now: Body, labels: Labels): Problems {
  if (!(error instanceof X12Error)) return { fields: {}, other: error };
  // It names the slot in its message: that is about the persona.
  if (error.code === 'slot_empty') return { fields: { pid: sentenceOf(error.message) }, other: null };
  const fields = Object.keys(error.fields).filter((name) => name in labels);
  if (fields.length === 0) return { fields: {}, other: error };
  const unchanged = fields.filter((name) => isSame(asked[name], now[name]));
  const sentences = unchanged.map((name) => [name, fieldProblem(error, name, labels[name]!) ?? '']);
  return { fields: Object.fromEntries(sentences) as Problems['fields'], other: null };
}

/** What is left of a failed start: what is about no single field may be solved by a change of any. */
export function problemsOfStart(refused: Refusal | null, now: Body, labels: Labels): Problems {
  if (refused === null || refused.asked.model !== now.model) return NONE;
  const { asked, error } = refused;
  const { fields, other } = problemsOf(error, asked, now, labels);
  if (isSame(asked, now)) return { fields, other };
  const { pid: _, ...others } = fields;
  return { fields: others, other: null };
}

/** What is wrong is said at once; what is missing, once it was tried without. */
export function shownProblems({ fields }: Problems, draft: Draft, wasTried: boolean): Problems['fields'] {
  if (wasTried) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isMissing(name, draft)));
}

function sentenceOf(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

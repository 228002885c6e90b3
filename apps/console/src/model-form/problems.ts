import { fieldProblem, X12Error } from '../api/index.ts';
import { capitalized } from '../text.ts';
import { type Body, type Draft, isMissing, VARIABLE } from './draft.ts';

/** The errors of the form. */
export interface Problems {
  /** Sentences by field of the request. */
  readonly fields: Readonly<Record<string, string>>;
  /** An error that belongs to no field. */
  readonly other: unknown;
}

/** A failed start. */
export interface Refusal {
  readonly asked: Body;
  readonly error: unknown;
}

export type Labels = Readonly<Record<string, string>>;

const NONE: Problems = { fields: {}, other: null };

/**
 * The messages of an error, each shown until its field is changed.
 *
 * @param asked the request that caused the error
 * @param now the request for the current form
 * @param labels the labels of the fields that can show a message, by name
 */
export function problemsOf(error: unknown, asked: Body, now: Body, labels: Labels): Problems {
  if (!(error instanceof X12Error)) return { fields: {}, other: error };
  // The message names a slot, so it belongs to the persona.
  if (error.code === 'slot_empty') return { fields: { pid: `${capitalized(error.message)}.` }, other: null };
  const fields = Object.keys(error.fields).filter((name) => name in labels);
  if (fields.length === 0) return { fields: {}, other: error };
  const unchanged = fields.filter((name) => isSame(valueOf(asked, name), valueOf(now, name)));
  const sentences = unchanged.map((name) => [name, fieldProblem(error, name, labels[name]!) ?? '']);
  return { fields: Object.fromEntries(sentences) as Problems['fields'], other: null };
}

/** The errors of a failed start. A change of any field removes errors that belong to no field or to the persona. */
export function problemsOfStart(refused: Refusal | null, now: Body, labels: Labels): Problems {
  if (refused === null || refused.asked.model !== now.model) return NONE;
  const { asked, error } = refused;
  const { fields, other } = problemsOf(error, asked, now, labels);
  if (isSame(asked, now)) return { fields, other };
  const { pid: _, ...others } = fields;
  return { fields: others, other: null };
}

/** Messages about wrong values are shown at once, messages about missing pictures only after a failed start. */
export function shownProblems({ fields }: Problems, draft: Draft, wasTried: boolean): Problems['fields'] {
  if (wasTried) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isMissing(name, draft)));
}

/** The value of a field that an error names. */
function valueOf(body: Body, name: string): unknown {
  if (!name.startsWith(VARIABLE)) return body[name];
  return (body.variables as Readonly<Record<string, unknown>> | undefined)?.[name.slice(VARIABLE.length)];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

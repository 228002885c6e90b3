import { sql, type InferResult, type ShallowDehydrateObject } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Pending, Submission, SubmissionResult } from '#generation';
import { build } from '../prepared.ts';
import { fieldsOf } from '../shapes.ts';

export const INTENDED = [
  'generationId',
  'provider',
  'requestKey',
  'state',
  'number',
  'pictures',
  'intendedAt',
  'giveUpAt',
] as const;

export const SUBMISSION = fieldsOf('submissions', [
  ...INTENDED,
  'attempt',
  'handle',
  'outputs',
  'failure',
  'nextCheckAt',
  'checks',
  'doubtfulSince',
  'refusal',
  'vendorCost',
]);

export const selectSubmissions = build.selectFrom('submissions').select(SUBMISSION);

export type SubmissionRow = InferResult<typeof selectSubmissions>[number];

/** That of a generation, in a statement that selects the generation. */
export function submissionOf(generationId: 'changed.id') {
  const ofGeneration = selectSubmissions.where('generation_id', '=', sql.ref<number>(generationId));
  return jsonObjectFrom(ofGeneration).as('submission');
}

/** Maps what `submissionOf` has selected: in JSON, times are text. */
export function submissionIn(row: ShallowDehydrateObject<SubmissionRow> | null): Submission | null {
  if (!row) return null;
  const { intendedAt, giveUpAt, nextCheckAt, doubtfulSince } = row;
  return toSubmission({
    ...row,
    intendedAt: new Date(intendedAt),
    giveUpAt: new Date(giveUpAt),
    nextCheckAt: nextCheckAt === null ? null : new Date(nextCheckAt),
    doubtfulSince: doubtfulSince === null ? null : new Date(doubtfulSince),
  });
}

function askedOf(row: SubmissionRow) {
  const { generationId, provider, requestKey, number, pictures, intendedAt, giveUpAt } = row;
  return { generationId, provider, requestKey, number, pictures, intendedAt, giveUpAt };
}

/** Maps a row whose state is `submitted`. */
export function toPending(row: SubmissionRow): Pending {
  const { handle, checks, doubtfulSince } = row;
  return { ...askedOf(row), state: 'submitted', handle: handle!, checks, doubtfulSince };
}

export function toSubmission(row: SubmissionRow): Submission {
  const asked = askedOf(row);
  const { state, handle } = row;
  switch (state) {
    case 'intended':
    case 'closed':
      return { ...asked, state };
    case 'unknown':
      return { ...asked, state, wasHeardOf: row.nextCheckAt !== null, refusal: row.refusal };
    case 'submitted':
      return toPending(row);
    case 'ended':
      return { ...asked, state, result: resultOf(row) };
    case 'canceling':
      return { ...asked, state, handle };
  }
}

function resultOf({ outputs, failure, vendorCost }: SubmissionRow): SubmissionResult {
  return failure ? { failure: failure } : { outputs: outputs ?? [], cost: vendorCost };
}

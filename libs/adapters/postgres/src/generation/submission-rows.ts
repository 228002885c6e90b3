import { sql, type InferResult, type ShallowDehydrateObject } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { SubmittedSubmission, Submission, SubmissionResult } from '#generation';
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

/** The submission of a generation, in a statement that selects the generation. */
export function submissionOf(generationId: 'changed.id') {
  const ofGeneration = selectSubmissions.where('generation_id', '=', sql.ref<number>(generationId));
  return jsonObjectFrom(ofGeneration).as('submission');
}

/** Maps the JSON that `submissionOf` selects, in which times are text. */
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

function baseOf(row: SubmissionRow) {
  const { generationId, provider, requestKey, number, pictures, intendedAt, giveUpAt: deadline } = row;
  return { generationId, provider, requestKey, number, pictures, intendedAt, deadline };
}

/** Maps a row whose state is `submitted`. */
export function toSubmitted(row: SubmissionRow): SubmittedSubmission {
  const { handle, checks, doubtfulSince: inconclusiveSince } = row;
  return { ...baseOf(row), state: 'submitted', handle: handle!, checks, inconclusiveSince };
}

export function toSubmission(row: SubmissionRow): Submission {
  const base = baseOf(row);
  const { state, handle } = row;
  switch (state) {
    case 'intended':
    case 'closed':
      return { ...base, state };
    case 'unknown':
      return { ...base, state, hasReceivedWebhook: row.nextCheckAt !== null, refusal: row.refusal };
    case 'submitted':
      return toSubmitted(row);
    case 'ended':
      return { ...base, state, result: resultOf(row) };
    case 'canceling':
      return { ...base, state, handle };
  }
}

function resultOf({ outputs, failure, vendorCost }: SubmissionRow): SubmissionResult {
  return failure ? { failure } : { outputs: outputs ?? [], cost: vendorCost };
}

import { p } from '@mikro-orm/postgresql';
import type { ParameterValues } from '#catalogue';
import type { Failure, InputSet, SentPicture, VendorHandle, VendorOutput } from '#generation';
import { customData, id, ref, table, time } from './columns.ts';

export const Generation = table('Generation', 'generations', {
  id: id(),
  workspaceId: ref(),
  userId: ref(),
  personaId: ref().nullable(),
  model: p.text(),
  /** Revision of the entry that operators added; null for a local model and for a model of the file. */
  modelRevision: p.integer().nullable(),
  /** The name in the call; null for the id of `model`. */
  requestedModel: p.text().nullable(),
  kind: p.enum(['image', 'video', 'vector', 'model3d', 'mask', 'style']),
  state: p.enum(['queued', 'running', 'succeeded', 'failed', 'canceled']),
  prompt: p.text().nullable(),
  parameters: p.json<ParameterValues>(),
  /** An input is a stored file, by key, or another picture, by URL. */
  imageUrl: p.text().nullable(),
  imageKey: p.text().nullable(),
  imageFileId: ref().nullable(),
  styleUrl: p.text().nullable(),
  styleKey: p.text().nullable(),
  styleFileId: ref().nullable(),
  /** The trained style that it uses or, for the kind `style`, trains. */
  styleId: ref().nullable(),
  /** The output that it goes on from: the generation, and the place of the output from 0. */
  parentId: ref().nullable(),
  parentOutput: p.smallint().nullable(),
  /** The batch that it is a cell of, and the cell; a generation that a retry has replaced has no cell. */
  batchId: ref().nullable(),
  cell: p.integer().nullable(),
  /** The URL to call after the generation has ended. */
  webhook: p.text().nullable(),
  cost: p.integer(),
  /** True if an output was deleted for good: it may have none left. */
  outputsDeleted: p.boolean().defaultRaw('false'),
  progress: p.double().$type<number>().defaultRaw('0'),
  errorCode: p.text().nullable(),
  error: p.text().nullable(),
  attempt: p.integer().defaultRaw('0'),
  createdAt: time(),
  startedAt: time().nullable(),
  finishedAt: time().nullable(),
  ...customData(),
});

/** The inputs other than image and style, which are columns of the generation. */
export const GenerationInput = table('GenerationInput', 'generation_inputs', {
  generationId: ref().primary(),
  input: p.enum(['references', 'mask', 'control', 'pictures', 'style_weights']).primary(),
  /** From 1. The order of references and of pictures. */
  position: p.smallint().primary(),
  url: p.text().nullable(),
  key: p.text().nullable(),
  fileId: ref().nullable(),
});

/** The request to a remote provider for a generation, and its response. */
export const Submission = table('Submission', 'submissions', {
  generationId: ref().primary().autoincrement(false),
  provider: p.text(),
  /** The idempotency key for the vendor, where it takes one. */
  requestKey: p.uuid(),
  /** The latest attempt of the generation that wrote the submission. */
  attempt: p.integer(),
  state: p.enum(['intended', 'unknown', 'submitted', 'ended', 'canceling', 'closed']),
  /** The vendor's handle of its job. */
  handle: p.json<VendorHandle>().nullable(),
  /** The results; null until the submission has ended. */
  outputs: p.json<readonly VendorOutput[]>().nullable(),
  /** The failure of an ended submission. */
  failure: p.json<Failure>().nullable(),
  /** Counts the submissions of the generation: the next one follows after the vendor has reported a failure. */
  number: p.integer().defaultRaw('1'),
  /** The input pictures by URL or hash, by which the vendor's job is recognized. */
  pictures: p.json<InputSet<SentPicture>>().nullable(),
  intendedAt: time(),
  giveUpAt: time(),
  submittedAt: time().nullable(),
  /** In the state `unknown`: when a webhook with the request key was received. */
  nextCheckAt: time().nullable(),
  checks: p.integer().defaultRaw('0'),
  /** In the state `unknown`: the vendor's response to the request, if there was one. */
  refusal: p.enum(['provider_busy', 'provider_unavailable']).nullable(),
  /** The first of the latest checks that were all inconclusive. */
  doubtfulSince: time().nullable(),
  /** In the vendor's currency. */
  vendorCost: p.double().$type<number>().nullable(),
  /** The trace of the run that intended the submission. */
  traceparent: p.text().nullable(),
});

export const GenerationOutput = table('GenerationOutput', 'generation_outputs', {
  generationId: ref().primary(),
  position: p.smallint().primary(),
  fileId: ref(),
  // Columns for 0.2, to the duration: a trigger writes the facts of the file's row. Dropped with 0.4.
  contentType: p.text().nullable(),
  width: p.integer().nullable(),
  height: p.integer().nullable(),
  duration: p.double().$type<number>().nullable(),
  label: p.text().nullable(),
  score: p.double().$type<number>().nullable(),
});

/** The thumbnails of an output for 0.2, written by a trigger; `files.picture_id` has them. Dropped with 0.4. */
export const GenerationThumbnail = table('GenerationThumbnail', 'generation_thumbnails', {
  generationId: ref().primary(),
  position: p.smallint().primary(),
  fileId: ref().primary(),
  width: p.integer(),
  height: p.integer(),
});

import { p } from '@mikro-orm/postgresql';
import type { Failure, InputSet, ParameterValues, SentPicture, VendorHandle, VendorOutput } from '#generation';
import { id, ref, table, time } from './columns.ts';

export const Generation = table('Generation', 'generations', {
  id: id(),
  workspaceId: ref(),
  userId: ref(),
  personaId: ref().nullable(),
  model: p.text(),
  kind: p.enum(['image', 'video', 'vector', 'model3d', 'mask']),
  state: p.enum(['queued', 'running', 'succeeded', 'failed', 'canceled']),
  prompt: p.text().nullable(),
  parameters: p.json<ParameterValues>(),
  /** An input is a file of the service, by key, or a picture elsewhere, by URL. */
  imageUrl: p.text().nullable(),
  imageKey: p.text().nullable(),
  imageFileId: ref().nullable(),
  styleUrl: p.text().nullable(),
  styleKey: p.text().nullable(),
  styleFileId: ref().nullable(),
  /** To call once it has ended. */
  webhook: p.text().nullable(),
  cost: p.integer(),
  progress: p.double().$type<number>().defaultRaw('0'),
  errorCode: p.text().nullable(),
  error: p.text().nullable(),
  attempt: p.integer().defaultRaw('0'),
  createdAt: time(),
  startedAt: time().nullable(),
  finishedAt: time().nullable(),
});

/** The further input pictures of a generation, as in its columns for image and style. */
export const GenerationInput = table('GenerationInput', 'generation_inputs', {
  generationId: ref().primary(),
  input: p.enum(['references', 'mask', 'control']).primary(),
  /** From 1; of references their order. */
  position: p.smallint().primary(),
  url: p.text().nullable(),
  key: p.text().nullable(),
  fileId: ref().nullable(),
});

/** What a remote provider was asked to do for a generation, and what it has answered. */
export const Submission = table('Submission', 'submissions', {
  generationId: ref().primary().autoincrement(false),
  provider: p.text(),
  /** Sent to the vendor where it takes a key. */
  requestKey: p.uuid(),
  /** The attempt of the generation that writes it. */
  attempt: p.integer(),
  state: p.enum(['intended', 'unknown', 'submitted', 'ended', 'canceling', 'closed']),
  /** As the vendor gave it. */
  handle: p.json<VendorHandle>().nullable(),
  /** What the vendor has made, once it has ended. */
  outputs: p.json<readonly VendorOutput[]>().nullable(),
  /** Why it has made nothing, once it has ended. */
  failure: p.json<Failure>().nullable(),
  /** Which submission of the generation it is: another one follows only when the vendor said that this one failed. */
  number: p.integer().defaultRaw('1'),
  /** The input pictures by URL or hash: by them the vendor's job is recognised. */
  pictures: p.json<InputSet<SentPicture>>().nullable(),
  intendedAt: time(),
  giveUpAt: time(),
  submittedAt: time().nullable(),
  /** Of an unknown one: when a webhook with its request key has come. */
  nextCheckAt: time().nullable(),
  checks: p.integer().defaultRaw('0'),
  /** What the vendor has answered to the POST of an unknown one, if it has. */
  refusal: p.enum(['provider_busy', 'provider_unavailable']).nullable(),
  /** The first of the latest checks that were all inconclusive. */
  doubtfulSince: time().nullable(),
  /** In the vendor's currency. */
  vendorCost: p.double().$type<number>().nullable(),
  /** The trace of the run that has intended it. */
  traceparent: p.text().nullable(),
});

export const GenerationOutput = table('GenerationOutput', 'generation_outputs', {
  generationId: ref().primary(),
  position: p.smallint().primary(),
  fileId: ref(),
  contentType: p.text(),
  width: p.integer().nullable(),
  height: p.integer().nullable(),
  duration: p.double().$type<number>().nullable(),
  label: p.text().nullable(),
  score: p.double().$type<number>().nullable(),
});

/** The thumbnails of an output. */
export const GenerationThumbnail = table('GenerationThumbnail', 'generation_thumbnails', {
  generationId: ref().primary(),
  position: p.smallint().primary(),
  fileId: ref().primary(),
  width: p.integer(),
  height: p.integer(),
});

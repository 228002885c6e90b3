import { defineEntity, p, type InferKyselyDB } from '@mikro-orm/postgresql';
import type { Reconciliation as ComparedPart } from '#files';
import type { Failure, InputSet, ParameterValues, SentPicture, VendorHandle, VendorOutput } from '#generation';
import { TOKEN_KINDS, type Email, type PasswordHash } from '#identity';
import type { JobName, JobPayloads } from '#kernel';
import type { Attempt } from '#webhooks';

/*
 * Every table, column by column. test/contracts/schema-drift.test.ts compares them with the migrated database.
 * Indexes, foreign keys, checks over several columns and triggers stand in the migrations alone.
 */

const id = () => p.bigint('number').primary().autoincrement().generated('identity');
/** The id of a row of another table. */
const ref = () => p.bigint('number');
const time = () => p.datetime();
/** The entry of the trash that the row was deleted with; null for a row that is not deleted. */
const deletion = () => ref().nullable();

const table = <const Name extends string, const Table extends string, const Properties extends Record<string, object>>(
  name: Name,
  tableName: Table,
  properties: Properties,
) => defineEntity({ name, tableName, properties });

/** The bytes of the files of each workspace, which triggers on `files` count. */
export const StorageCount = table('StorageCount', 'storage_use', {
  workspaceId: ref().primary().autoincrement(false),
  bytes: p.bigint('number').defaultRaw('0'),
});

export const User = table('User', 'users', {
  id: id(),
  email: p.text().$type<Email>(),
  name: p.text().nullable(),
  passwordHash: p.text().$type<PasswordHash>().nullable(),
  createdAt: time(),
  confirmedAt: time().nullable(),
});

export const Workspace = table('Workspace', 'workspaces', {
  id: id(),
  kind: p.enum(['personal', 'team']),
  plan: p.text(),
  createdAt: time(),
  membersCount: p.integer().defaultRaw('0'),
});

export const Membership = table('Membership', 'memberships', {
  workspaceId: ref().primary(),
  userId: ref().primary(),
  isTeam: p.boolean(),
  role: p.enum(['owner', 'admin', 'member']),
  addedBy: ref().nullable(),
  joinedAt: time(),
});

export const ApiToken = table('ApiToken', 'api_tokens', {
  id: id(),
  userId: ref(),
  name: p.text(),
  hash: p.blob(),
  createdAt: time(),
  lastUsedAt: time().nullable(),
  expiresAt: time().nullable(),
  kind: p.enum(TOKEN_KINDS).default('api'),
  parentId: ref().nullable(),
});

export const SignInLinkRow = table('SignInLinkRow', 'sign_in_links', {
  id: id(),
  userId: ref(),
  hash: p.blob(),
  isLocal: p.boolean(),
  createdAt: time(),
  expiresAt: time(),
  usedAt: time().nullable(),
});

export const Invitation = table('Invitation', 'invitations', {
  id: id(),
  workspaceId: ref(),
  email: p.text().$type<Email>(),
  role: p.enum(['admin', 'member']),
  invitedBy: ref(),
  /** The user to add; null for an address without an account. */
  userId: ref().nullable(),
  /** Newest first; empty once the invitation has ended. */
  tokenHashes: p.blob().$type<Buffer[]>().columnType('bytea[]').defaultRaw(`'{}'`),
  state: p.enum(['pending', 'accepted', 'declined', 'revoked']).defaultRaw(`'pending'`),
  delivery: p.enum(['waiting', 'sent', 'refused']).defaultRaw(`'waiting'`),
  createdAt: time(),
  expiresAt: time(),
  endedAt: time().nullable(),
});

export const Persona = table('Persona', 'personas', {
  id: id(),
  workspaceId: ref(),
  createdBy: ref(),
  name: p.text(),
  title: p.text().nullable(),
  knows: p.text().nullable(),
  profession: p.text().nullable(),
  createdAt: time(),
  updatedAt: time(),
  deletionId: deletion(),
  /** Kept in step with `deletionId` by triggers, for processes of 0.1; dropped with 0.3. */
  deletedAt: time().nullable(),
});

export const File = table('File', 'files', {
  id: id(),
  workspaceId: ref(),
  /** Null once the persona is gone, where something else still needs the file. */
  personaId: ref().nullable(),
  origin: p.enum(['upload', 'import', 'output']),
  key: p.text(),
  filename: p.text(),
  size: p.bigint('number'),
  contentType: p.text(),
  createdAt: time(),
  expiresAt: time().nullable(),
  /** When to look whether anything needs the file. */
  reviewAt: time().nullable(),
  deletionId: deletion(),
});

/** Keys whose bytes are to be deleted when they are due: no file has them then. */
export const DiscardedObject = table('DiscardedObject', 'discarded_objects', {
  key: p.text().primary(),
  dueAt: time(),
  /** When due before, the bytes are moved out of the public prefix instead, and deleted then. */
  keptUntil: time().nullable(),
  /** The record of a file that 0.1 has deleted. */
  file: p.json<KeptFile>().nullable(),
});

/** A deleted file: its row, and those that went with it. */
export interface KeptFile {
  readonly id: number;
  readonly key: string;
  readonly outputs: readonly object[];
  readonly thumbnails: readonly object[];
}

/** Deletions: what was deleted, by whom, and until when it can be restored. */
export const TrashEntry = table('TrashEntry', 'trash', {
  id: id(),
  workspaceId: ref(),
  kind: p.enum(['board', 'folder', 'media', 'persona']),
  itemId: ref(),
  boardId: ref().nullable(),
  name: p.text().nullable(),
  deletedBy: ref(),
  deletedAt: time(),
  expiresAt: time(),
});

/** Rows that 0.1 has deleted: `BackFromJson` brings them back to their tables. Dropped with 0.3. */
export const TrashRow = table('TrashRow', 'trash_rows', {
  id: id(),
  trashId: ref(),
  relation: p.enum(['boards', 'folders', 'media', 'personas', 'trainings', 'files', 'generations']),
  /** The row; of `generations` the ids of those of a persona; of `files` nothing. */
  content: p.json<object>(),
  /** Files that the row refers to, or that belong to the persona. */
  fileIds: p.bigint('number').$type<number[]>().columnType('bigint[]').defaultRaw(`'{}'`),
});

export const Upload = table('Upload', 'uploads', {
  id: id(),
  workspaceId: ref(),
  userId: ref(),
  personaId: ref(),
  token: p.text(),
  filename: p.text(),
  state: p.enum(['allocated', 'frozen', 'finalized', 'expired']),
  frozenKey: p.text().nullable(),
  frozenSize: p.bigint('number').nullable(),
  fileId: ref().nullable(),
  createdAt: time(),
  expiresAt: time(),
  cleanUpAt: time().nullable(),
  partsId: p.text().nullable(),
  partsCount: p.integer().nullable(),
});

export const Training = table('Training', 'trainings', {
  id: id(),
  workspaceId: ref(),
  personaId: ref(),
  slot: p.smallint().nullable(),
  sourceUrl: p.text(),
  fileId: ref().nullable(),
  state: p.enum(['created', 'processed', 'failed']),
  error: p.text().nullable(),
  extras: p.text().nullable(),
  info: p.text().nullable(),
  createdAt: time(),
  pictureVersion: p.integer(),
});

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
  /** Since when each answer to a check was doubtful. */
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

/** What the webhooks of a workspace are signed with. */
export const StoredWebhookSecret = table('StoredWebhookSecret', 'webhook_secrets', {
  workspaceId: ref().primary().autoincrement(false),
  secret: p.text(),
  /** Until the last rotation. */
  previous: p.text().nullable(),
  rotatedAt: time().nullable(),
});

/** Calls of the webhooks of generations. */
export const WebhookDelivery = table('WebhookDelivery', 'webhook_deliveries', {
  id: id(),
  workspaceId: ref(),
  generationId: ref(),
  url: p.text(),
  messageId: p.text(),
  state: p.enum(['pending', 'delivered', 'failed']),
  revision: p.integer().defaultRaw('1'),
  tries: p.integer().defaultRaw('0'),
  attempts: p.json<StoredAttempt[]>().defaultRaw(`'[]'`),
  nextAttemptAt: time().nullable(),
  createdAt: time(),
});

/** An attempt as it is kept: its time as text. */
export interface StoredAttempt extends Omit<Attempt, 'at'> {
  readonly at: string;
}

/** The ledger, which the two tables of sums can be rebuilt from. `amount` is what the entry adds to the month's use. */
export const CreditEntry = table('CreditEntry', 'credit_entries', {
  id: id(),
  key: p.text(),
  workspaceId: ref(),
  userId: ref().nullable(),
  generationId: ref().nullable(),
  month: p.date(),
  kind: p.enum(['reserve', 'settle', 'release', 'grant']),
  amount: p.integer(),
  reason: p.text().nullable(),
  createdAt: time(),
});

export const CreditMonth = table('CreditMonth', 'credit_months', {
  workspaceId: ref().primary(),
  month: p.date().primary(),
  used: p.integer(),
  granted: p.integer().defaultRaw('0'),
});

export const CreditUsage = table('CreditUsage', 'credit_usage', {
  workspaceId: ref().primary(),
  month: p.date().primary(),
  userId: ref().primary(),
  used: p.integer(),
  generations: p.integer(),
});

export const Board = table('Board', 'boards', {
  id: id(),
  workspaceId: ref(),
  createdBy: ref(),
  name: p.text(),
  foldersCount: p.integer().defaultRaw('0'),
  mediaCount: p.integer().defaultRaw('0'),
  /** Grows with every change of what a read of the board shows. */
  version: p.bigint('number').defaultRaw('1'),
  createdAt: time(),
  deletionId: deletion(),
  /** Kept in step with `deletionId` by triggers, for processes of 0.1; dropped with 0.3. */
  deletedAt: time().nullable(),
});

export const Folder = table('Folder', 'folders', {
  id: id(),
  boardId: ref(),
  parentId: ref().nullable(),
  name: p.text(),
  createdAt: time(),
  deletionId: deletion(),
});

export const Media = table('Media', 'media', {
  id: id(),
  boardId: ref(),
  folderId: ref().nullable(),
  createdBy: ref(),
  /** A URL, or the key of a stored file. */
  sourceUrl: p.text().nullable(),
  sourceControlImage: p.text().nullable(),
  fileKey: p.text().nullable(),
  controlImageKey: p.text().nullable(),
  extras: p.text().nullable(),
  state: p.enum(['created', 'processed', 'failed']),
  error: p.text().nullable(),
  width: p.integer().nullable(),
  height: p.integer().nullable(),
  duration: p.float().nullable(),
  contentType: p.text().nullable(),
  placeholder: p.text().nullable(),
  thumbnails: p.json<{ key: string; width: number; height: number }[]>().defaultRaw(`'[]'`),
  revision: p.integer().defaultRaw('1'),
  createdAt: time(),
  deletionId: deletion(),
});

/** The files that a media shows. */
export const MediaFile = table('MediaFile', 'media_files', { mediaId: ref().primary(), fileId: ref().primary() });

/** Announced work, from the commit that announced it until it is done or given up. */
export const JobRow = table('JobRow', 'jobs', {
  id: id(),
  name: p.text().$type<JobName>(),
  payload: p.json<JobPayloads[JobName]>(),
  /** Starts so far; only ever grows, so that it fences what a run writes. */
  attempts: p.integer().defaultRaw('0'),
  failures: p.integer().defaultRaw('0'),
  crashes: p.integer().defaultRaw('0'),
  /** Makes the queue's id of each delivery a new one. */
  deliveries: p.integer().defaultRaw('0'),
  dueAt: time(),
  relayedAt: time().nullable(),
  /** Set while a worker has the job. */
  startedAt: time().nullable(),
  lastError: p.text().nullable(),
  createdAt: time(),
  bulk: p.boolean().defaultRaw('false'),
  workspaceId: ref().nullable(),
  queue: p
    .text()
    .$type<'generations' | 'outputs' | 'pictures' | 'mail' | 'webhooks' | 'housekeeping'>()
    .defaultRaw(`'housekeeping'`),
  /** Its place among the jobs of its queue; null until a worker has seen it. */
  turn: p.bigint('number').nullable(),
  /** What the queue delivered to the worker that has the job. */
  ticket: p.text().nullable(),
});

/** The latest turn that was started of each queue and, apart, of its bulk jobs; locked by each start. */
export const JobQueue = table('JobQueue', 'job_queues', {
  queue: p.text().primary(),
  bulk: p.boolean().primary(),
  turn: p.bigint('number').defaultRaw('0'),
});

export const IdempotencyKey = table('IdempotencyKey', 'idempotency_keys', {
  caller: p.text().primary(),
  keyHash: p.blob().primary(),
  requestHash: p.blob(),
  status: p.smallint(),
  answer: p.blob(),
  createdAt: time(),
});

/** How far the nightly comparison of object storage and records has come: one row. */
export const Reconciliation = table('Reconciliation', 'reconciliation', {
  onlyRow: p.boolean().primary().defaultRaw('true'),
  night: p.date(),
  objectKey: p.text().nullable(),
  fileId: ref().nullable(),
  /** The part compared last. */
  comparedAt: time().nullable(),
  result: p.json<ComparedPart>().nullable(),
});

export const RateLimit = table('RateLimit', 'rate_limits', {
  key: p.string().length(255).primary(),
  points: p.integer().defaultRaw('0'),
  expire: p.bigint('number').nullable(),
});

export const entities = [
  User,
  Workspace,
  Membership,
  ApiToken,
  SignInLinkRow,
  Invitation,
  Persona,
  File,
  StorageCount,
  DiscardedObject,
  TrashEntry,
  TrashRow,
  Upload,
  Training,
  Generation,
  GenerationInput,
  Submission,
  GenerationOutput,
  GenerationThumbnail,
  StoredWebhookSecret,
  WebhookDelivery,
  CreditEntry,
  CreditMonth,
  CreditUsage,
  Board,
  Folder,
  Media,
  MediaFile,
  JobRow,
  JobQueue,
  IdempotencyKey,
  Reconciliation,
  RateLimit,
] as const;

/** The tables by name, as Kysely wants them: values as the driver reads and writes them. */
export type Tables = InferKyselyDB<(typeof entities)[number]>;

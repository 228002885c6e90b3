import { defineEntity, p, type InferKyselyDB } from '@mikro-orm/postgresql';
import type { Email, PasswordHash } from '#identity';
import type { JobName, JobPayloads } from '#kernel';

/*
 * Every table, column by column. test/contracts/schema-drift.test.ts compares them with the migrated database.
 * Indexes, foreign keys, checks over several columns and triggers stand in the migrations alone.
 */

const id = () => p.bigint('number').primary().autoincrement().generated('identity');
/** The id of a row of another table. */
const ref = () => p.bigint('number');
const time = () => p.datetime();

export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: id(),
    email: p.text().$type<Email>(),
    name: p.text().nullable(),
    passwordHash: p.text().$type<PasswordHash>().nullable(),
    createdAt: time(),
    confirmedAt: time().nullable(),
  },
});

export const Workspace = defineEntity({
  name: 'Workspace',
  tableName: 'workspaces',
  properties: {
    id: id(),
    kind: p.enum(['personal', 'team']),
    plan: p.text(),
    createdAt: time(),
    membersCount: p.integer().defaultRaw('0'),
  },
});

export const Membership = defineEntity({
  name: 'Membership',
  tableName: 'memberships',
  properties: {
    workspaceId: ref().primary(),
    userId: ref().primary(),
    isTeam: p.boolean(),
    role: p.enum(['owner', 'admin', 'member']),
    addedBy: ref().nullable(),
    joinedAt: time(),
  },
});

export const ApiToken = defineEntity({
  name: 'ApiToken',
  tableName: 'api_tokens',
  properties: {
    id: id(),
    userId: ref(),
    name: p.text(),
    hash: p.blob(),
    createdAt: time(),
    lastUsedAt: time().nullable(),
    expiresAt: time().nullable(),
  },
});

export const Invitation = defineEntity({
  name: 'Invitation',
  tableName: 'invitations',
  properties: {
    id: id(),
    workspaceId: ref(),
    email: p.text().$type<Email>(),
    role: p.enum(['admin', 'member']),
    invitedBy: ref(),
    /** Newest first; empty once the invitation has ended. */
    tokenHashes: p.blob().$type<Buffer[]>().columnType('bytea[]').defaultRaw(`'{}'`),
    state: p.enum(['pending', 'accepted', 'declined', 'revoked']).defaultRaw(`'pending'`),
    delivery: p.enum(['waiting', 'sent', 'refused']).defaultRaw(`'waiting'`),
    createdAt: time(),
    expiresAt: time(),
    endedAt: time().nullable(),
  },
});

export const Persona = defineEntity({
  name: 'Persona',
  tableName: 'personas',
  properties: {
    id: id(),
    workspaceId: ref(),
    createdBy: ref(),
    name: p.text(),
    title: p.text().nullable(),
    knows: p.text().nullable(),
    profession: p.text().nullable(),
    createdAt: time(),
    updatedAt: time(),
    deletedAt: time().nullable(),
  },
});

export const File = defineEntity({
  name: 'File',
  tableName: 'files',
  properties: {
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
  },
});

/** Keys whose bytes are to be deleted when they are due: no file has them then. */
export const DiscardedObject = defineEntity({
  name: 'DiscardedObject',
  tableName: 'discarded_objects',
  properties: { key: p.text().primary(), dueAt: time() },
});

export const Upload = defineEntity({
  name: 'Upload',
  tableName: 'uploads',
  properties: {
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
  },
});

export const Training = defineEntity({
  name: 'Training',
  tableName: 'trainings',
  properties: {
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
  },
});

export const Generation = defineEntity({
  name: 'Generation',
  tableName: 'generations',
  properties: {
    id: id(),
    workspaceId: ref(),
    userId: ref(),
    personaId: ref().nullable(),
    model: p.text(),
    kind: p.enum(['image', 'video']),
    state: p.enum(['queued', 'running', 'succeeded', 'failed', 'canceled']),
    prompt: p.text().nullable(),
    parameters: p.json<Record<string, string | number | boolean>>(),
    /** An input is a file of the service, by key, or a picture elsewhere, by URL. */
    imageUrl: p.text().nullable(),
    imageKey: p.text().nullable(),
    imageFileId: ref().nullable(),
    styleUrl: p.text().nullable(),
    styleKey: p.text().nullable(),
    styleFileId: ref().nullable(),
    cost: p.integer(),
    progress: p.double().$type<number>().defaultRaw('0'),
    errorCode: p.text().nullable(),
    error: p.text().nullable(),
    attempt: p.integer().defaultRaw('0'),
    createdAt: time(),
    startedAt: time().nullable(),
    finishedAt: time().nullable(),
  },
});

export const GenerationOutput = defineEntity({
  name: 'GenerationOutput',
  tableName: 'generation_outputs',
  properties: {
    generationId: ref().primary(),
    position: p.smallint().primary(),
    fileId: ref(),
    contentType: p.text(),
    width: p.integer(),
    height: p.integer(),
    duration: p.double().$type<number>().nullable(),
  },
});

/** The ledger, which the two tables of sums can be rebuilt from. `amount` is what the entry adds to the month's use. */
export const CreditEntry = defineEntity({
  name: 'CreditEntry',
  tableName: 'credit_entries',
  properties: {
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
  },
});

export const CreditMonth = defineEntity({
  name: 'CreditMonth',
  tableName: 'credit_months',
  properties: {
    workspaceId: ref().primary(),
    month: p.date().primary(),
    used: p.integer(),
    granted: p.integer().defaultRaw('0'),
  },
});

export const CreditUsage = defineEntity({
  name: 'CreditUsage',
  tableName: 'credit_usage',
  properties: {
    workspaceId: ref().primary(),
    month: p.date().primary(),
    userId: ref().primary(),
    used: p.integer(),
    generations: p.integer(),
  },
});

export const Board = defineEntity({
  name: 'Board',
  tableName: 'boards',
  properties: {
    id: id(),
    workspaceId: ref(),
    createdBy: ref(),
    name: p.text(),
    foldersCount: p.integer().defaultRaw('0'),
    mediaCount: p.integer().defaultRaw('0'),
    /** Grows with every change of what a read of the board shows. */
    version: p.bigint('number').defaultRaw('1'),
    createdAt: time(),
    deletedAt: time().nullable(),
  },
});

export const Folder = defineEntity({
  name: 'Folder',
  tableName: 'folders',
  properties: { id: id(), boardId: ref(), parentId: ref().nullable(), name: p.text(), createdAt: time() },
});

export const Media = defineEntity({
  name: 'Media',
  tableName: 'media',
  properties: {
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
  },
});

/** The files that a media shows. */
export const MediaFile = defineEntity({
  name: 'MediaFile',
  tableName: 'media_files',
  properties: { mediaId: ref().primary(), fileId: ref().primary() },
});

/** Announced work, from the commit that announced it until it is done or given up. */
export const JobRow = defineEntity({
  name: 'JobRow',
  tableName: 'jobs',
  properties: {
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
  },
});

export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  properties: {
    caller: p.text().primary(),
    keyHash: p.blob().primary(),
    requestHash: p.blob(),
    status: p.smallint(),
    answer: p.blob(),
    createdAt: time(),
  },
});

/** How far the nightly comparison of object storage and records has come: one row. */
export const Reconciliation = defineEntity({
  name: 'Reconciliation',
  tableName: 'reconciliation',
  properties: {
    onlyRow: p.boolean().primary().defaultRaw('true'),
    night: p.date(),
    objectKey: p.text().nullable(),
    fileId: ref().nullable(),
  },
});

export const RateLimit = defineEntity({
  name: 'RateLimit',
  tableName: 'rate_limits',
  properties: {
    key: p.string().length(255).primary(),
    points: p.integer().defaultRaw('0'),
    expire: p.bigint('number').nullable(),
  },
});

export const entities = [
  User,
  Workspace,
  Membership,
  ApiToken,
  Invitation,
  Persona,
  File,
  DiscardedObject,
  Upload,
  Training,
  Generation,
  GenerationOutput,
  CreditEntry,
  CreditMonth,
  CreditUsage,
  Board,
  Folder,
  Media,
  MediaFile,
  JobRow,
  IdempotencyKey,
  Reconciliation,
  RateLimit,
] as const;

/** The tables by name, as Kysely wants them: values as the driver reads and writes them. */
export type Tables = InferKyselyDB<(typeof entities)[number]>;

import type { InferKyselyDB } from '@mikro-orm/postgresql';
import * as auditLog from './schema/audit-log.ts';
import * as batches from './schema/batches.ts';
import * as boards from './schema/boards.ts';
import * as catalogue from './schema/catalogue.ts';
import * as credits from './schema/credits.ts';
import * as events from './schema/events.ts';
import * as exports from './schema/exports.ts';
import * as files from './schema/files.ts';
import * as generations from './schema/generations.ts';
import * as identity from './schema/identity.ts';
import * as inbox from './schema/inbox.ts';
import * as jobs from './schema/jobs.ts';
import * as library from './schema/library.ts';
import * as presets from './schema/presets.ts';
import * as personas from './schema/personas.ts';
import * as review from './schema/review.ts';
import * as sharing from './schema/sharing.ts';
import * as styles from './schema/styles.ts';
import * as webhooks from './schema/webhooks.ts';

export * from './schema/audit-log.ts';
export * from './schema/batches.ts';
export * from './schema/boards.ts';
export * from './schema/catalogue.ts';
export * from './schema/credits.ts';
export * from './schema/events.ts';
export * from './schema/exports.ts';
export * from './schema/files.ts';
export * from './schema/generations.ts';
export * from './schema/identity.ts';
export * from './schema/inbox.ts';
export * from './schema/jobs.ts';
export * from './schema/library.ts';
export * from './schema/personas.ts';
export * from './schema/presets.ts';
export * from './schema/review.ts';
export * from './schema/sharing.ts';
export * from './schema/styles.ts';
export * from './schema/webhooks.ts';

const tables = {
  ...auditLog,
  ...batches,
  ...boards,
  ...catalogue,
  ...credits,
  ...events,
  ...exports,
  ...files,
  ...generations,
  ...identity,
  ...inbox,
  ...jobs,
  ...library,
  ...personas,
  ...presets,
  ...review,
  ...sharing,
  ...styles,
  ...webhooks,
};

/**
 * Every table, column by column. test/contracts/schema-drift.test.ts compares them with the migrated database.
 * Indexes, foreign keys, checks over several columns and triggers stand in the migrations alone.
 */
export const entities = Object.values(tables);

/** The tables by name, as Kysely wants them: values as the driver reads and writes them. */
export type Tables = InferKyselyDB<(typeof entities)[number]>;

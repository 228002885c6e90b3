import type { AuditEntries, AuditLog } from '#audit-log';
import type { BatchJobs, Clock, Jobs, Sealer, Tracing, UnitOfWork } from '#kernel';
import type { PostgresConnection } from '#adapters/postgres';
import type { QueueConnection, Queues } from '#adapters/queue';
import type { RedisConnection } from '#adapters/redis';
import type { Settings } from '#config';
import { token } from './provide.ts';

/** The ports and connections that all modules share. */
export const settings = token<Settings>('Settings');
export const clock = token<Clock>('Clock');
export const tracing = token<Tracing>('Tracing');
export const unitOfWork = token<UnitOfWork>('UnitOfWork');
/** The log of actions, for the admins of workspaces. `audit` is another thing: it checks the database. */
export const auditLog = token<AuditLog>('AuditLog');
export const auditEntries = token<AuditEntries>('AuditEntries');
export const jobs = token<Jobs & BatchJobs>('Jobs');
export const sealer = token<Sealer>('Sealer');
export const postgres = token<PostgresConnection>('PostgresConnection');
export const queue = token<QueueConnection>('QueueConnection');
/** Days that a deleted item can be restored. */
export const graceDays = token<number>('graceDays');
/** The operator's text of visible labels. */
export const labelText = token<string>('LabelText');
export const queues = token<Queues>('Queues');
/** `null` if PostgreSQL serves the queue and the rate limits. */
export const redis = token<RedisConnection | null>('RedisConnection');

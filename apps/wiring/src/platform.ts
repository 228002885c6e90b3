import type { Clock, Jobs, UnitOfWork } from '#kernel';
import type { PostgresConnection } from '#adapters/postgres';
import type { QueueConnection } from '#adapters/queue';
import type { Settings } from '#config';
import { token } from './provide.ts';

/** The ports and connections that every room shares. */
export const settings = token<Settings>('Settings');
export const clock = token<Clock>('Clock');
export const unitOfWork = token<UnitOfWork>('UnitOfWork');
export const jobs = token<Jobs>('Jobs');
export const postgres = token<PostgresConnection>('PostgresConnection');
export const queue = token<QueueConnection>('QueueConnection');

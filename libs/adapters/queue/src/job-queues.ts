import { build, prepared } from '#adapters/postgres';
import type { QueueName } from './queues.ts';

/**
 * Serializes the starts and ends of a queue, so that each start counts the running jobs correctly. The next statements
 * see everything that was committed before the lock was granted.
 */
export const lockQueue = prepared<{ queue: QueueName }>()((param) =>
  build.selectFrom('job_queues').select('bulk').where('queue', '=', param('queue')).orderBy('bulk').forUpdate(),
);

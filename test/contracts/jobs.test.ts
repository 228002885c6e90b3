/** @tier test */
import { connectQueueToPostgres } from '#adapters/queue';
import { jobsContract } from '../support/jobs-contract.ts';

jobsContract('jobs on PostgreSQL', (db) => connectQueueToPostgres(db.url, { poolSize: 10, onError: () => undefined }));

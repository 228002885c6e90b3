/** @tier test */
import { postgresRateCounters } from '../../apps/wiring/src/rate-counters.ts';
import { guessLimitContract } from '../support/guess-limit-contract.ts';
import { suiteDatabase } from '../support/suite-database.ts';

const db = await suiteDatabase();

guessLimitContract('PostgreSQL', () => postgresRateCounters(db));

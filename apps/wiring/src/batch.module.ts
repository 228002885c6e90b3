import { PostgresBatches, PostgresSignals } from '#adapters/postgres';
import { Batches, BatchWatch } from '#batch';
import { StoredUrls } from '#files';
import { Generations } from '#generation';
import { creditViews } from './credits.module.ts';
import { eventLog } from './events.module.ts';
import { batchViews, GenerationModule, mayCallUrl } from './generation.module.ts';
import { plans, tokenStore } from './identity.module.ts';
import { MeasuredCreditLedger } from './metrics/measured-credit-ledger.ts';
import { clock, jobs, unitOfWork } from './platform.ts';
import { provide, provideWith, SharedModule } from './provide.ts';

/** Batches of generations. Their ends are part of the ends of generations. */
@SharedModule(
  [GenerationModule],
  provideWith(Batches, {
    store: PostgresBatches,
    generations: Generations,
    urls: StoredUrls,
    mayCall: mayCallUrl,
    ledger: MeasuredCreditLedger,
    credits: creditViews,
    plans,
    tokens: tokenStore,
    events: eventLog,
    jobs,
    unitOfWork,
    clock,
  }),
  provide(BatchWatch, PostgresSignals, batchViews),
)
export class BatchModule {}

import { PostgresDeliveries, PostgresWebhookSecrets } from '#adapters/postgres';
import { SignedWebhooks } from '#adapters/webhooks';
import { GenerationResults } from '#generation';
import { DeliveryRuns, HostLimiter } from '#webhooks';
import { batchViews, GenerationModule } from './generation.module.ts';
import { clock, settings } from './platform.ts';
import { provideMade, provideWith, SharedModule } from './provide.ts';

/** Concurrent webhook calls of a worker. */
export const WEBHOOK_CONCURRENCY = 32;
const WEBHOOK_SECONDS = 15;

/** Calls webhooks. Only the worker imports it. */
@SharedModule(
  [GenerationModule],
  provideMade(
    SignedWebhooks,
    [settings],
    ({ fetch: { allowedHosts } }) => new SignedWebhooks({ allowedHosts, timeoutSeconds: WEBHOOK_SECONDS }),
  ),
  provideMade(HostLimiter, [clock], (time) => new HostLimiter(WEBHOOK_CONCURRENCY, time)),
  provideWith(DeliveryRuns, {
    deliveries: PostgresDeliveries,
    secrets: PostgresWebhookSecrets,
    results: GenerationResults,
    batches: batchViews,
    calls: SignedWebhooks,
    limiter: HostLimiter,
    clock,
  }),
)
export class WebhookRunsModule {}

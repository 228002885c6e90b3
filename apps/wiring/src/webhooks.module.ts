import { PostgresDeliveries, PostgresMembers, PostgresWebhookSecrets } from '#adapters/postgres';
import { SignedWebhooks } from '#adapters/webhooks';
import { WorkspaceUrls } from '#files';
import { GenerationResults } from '#generation';
import { DeliveryRuns, EndpointRuns, HostLimiter, LimitedCalls } from '#webhooks';
import { batchViews, endpointStore, GenerationModule } from './generation.module.ts';
import { clock, jobs, settings, unitOfWork } from './platform.ts';
import { provide, provideMade, provideStores, provideWith, SharedModule } from './provide.ts';

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
  ...provideStores(PostgresMembers),
  provide(LimitedCalls, SignedWebhooks, HostLimiter, clock),
  provideWith(EndpointRuns, {
    endpoints: endpointStore,
    admins: PostgresMembers,
    deliveries: PostgresDeliveries,
    calls: LimitedCalls,
    urls: WorkspaceUrls,
    jobs,
    unitOfWork,
    clock,
  }),
  provideWith(DeliveryRuns, {
    deliveries: PostgresDeliveries,
    secrets: PostgresWebhookSecrets,
    results: GenerationResults,
    batches: batchViews,
    calls: LimitedCalls,
    clock,
  }),
)
export class WebhookRunsModule {}

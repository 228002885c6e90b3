import { PostgresDeliveries, PostgresWebhookSecrets } from '#adapters/postgres';
import { SignedWebhooks } from '#adapters/webhooks';
import { GenerationResults } from '#generation';
import { DeliveryRuns, HostPlaces } from '#webhooks';
import { GenerationModule } from './generation.module.ts';
import { clock, settings } from './platform.ts';
import { provideMade, provideWith, SharedModule } from './provide.ts';

/** How many webhooks a worker calls at a time. Each is one small request, and what hangs takes a share of them. */
export const WEBHOOK_PLACES = 32;
const WEBHOOK_SECONDS = 15;

/** What calls webhooks: for the worker alone. */
@SharedModule(
  [GenerationModule],
  provideMade(
    SignedWebhooks,
    [settings],
    ({ fetch: { allowedHosts } }) => new SignedWebhooks({ allowedHosts, timeoutSeconds: WEBHOOK_SECONDS }),
  ),
  provideMade(HostPlaces, [clock], (time) => new HostPlaces(WEBHOOK_PLACES, time)),
  provideWith(DeliveryRuns, {
    deliveries: PostgresDeliveries,
    secrets: PostgresWebhookSecrets,
    results: GenerationResults,
    calls: SignedWebhooks,
    hosts: HostPlaces,
    clock,
  }),
)
export class WebhookRunsModule {}

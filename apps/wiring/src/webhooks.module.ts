import { PostgresDeliveries, PostgresWebhookSecrets } from '#adapters/postgres';
import { SignedWebhooks } from '#adapters/webhooks';
import { GenerationResults } from '#generation';
import { DeliveryRuns } from '#webhooks';
import { GenerationModule } from './generation.module.ts';
import { clock, settings } from './platform.ts';
import { provideMade, provideWith, SharedModule } from './provide.ts';

/** What calls webhooks: for the worker alone. */
@SharedModule(
  [GenerationModule],
  provideMade(SignedWebhooks, [settings], ({ fetch }) => new SignedWebhooks(fetch)),
  provideWith(DeliveryRuns, {
    deliveries: PostgresDeliveries,
    secrets: PostgresWebhookSecrets,
    results: GenerationResults,
    calls: SignedWebhooks,
    clock,
  }),
)
export class WebhookRunsModule {}

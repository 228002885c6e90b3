import { Controller, Get, Inject, Module } from '@nestjs/common';
import type { Actor } from '#identity';
import type { PageRequest } from '#kernel';
import { Deliveries, SigningSecrets, type DeliveryViews } from '#webhooks';
import { deliveryViews, GenerationModule, IdentityModule } from '#wiring';
import {
  CurrentActor,
  ExistenceChecks,
  Existing,
  listOf,
  May,
  PageQuery,
  PathId,
  Post,
  RequestQuery,
  Responds,
} from '../http/index.ts';
import {
  DeliveriesQuery,
  DeliveriesResponse,
  deliveryDto,
  DeliveryResponse,
  WebhookSecretResponse,
} from './webhooks.dto.ts';
import { WEBHOOK_EVENTS } from './webhook-events.dto.ts';

@Controller('v2/webhooks')
export class WebhooksController {
  constructor(
    @Inject(SigningSecrets) private readonly secrets: SigningSecrets,
    @Inject(Deliveries) private readonly deliveries: Deliveries,
    @Inject(deliveryViews) private readonly views: DeliveryViews,
  ) {}

  @Get('secret')
  @May('webhook.manage')
  @Responds(200, WebhookSecretResponse, {
    id: 'webhooks.secret.get',
    summary: 'Read the secret of webhooks',
    description:
      "Reads the secret that signs the workspace's webhooks. Returns the secret, with which receivers verify a " +
      'call. Only for admins and the owner.',
  })
  async getSecret(@CurrentActor() { workspaceId }: Actor) {
    return { secret: await this.secrets.current(workspaceId) };
  }

  @Post('secret/rotate')
  @May('webhook.manage')
  @Responds(200, WebhookSecretResponse, {
    id: 'webhooks.secret.rotate',
    summary: 'Rotate the secret of webhooks',
    description:
      "Replaces the secret that signs the workspace's webhooks. Returns the new secret. The old secret also signs " +
      'for 24 hours. Only for admins and the owner.',
  })
  async postRotation(@CurrentActor() { workspaceId }: Actor) {
    return { secret: await this.secrets.rotate(workspaceId) };
  }

  @Get('deliveries')
  @May('webhook.manage')
  @Responds(200, DeliveriesResponse, {
    id: 'webhooks.deliveries.list',
    summary: 'List calls of webhooks',
    description:
      'Lists the webhook calls of the last 30 days, newest first. Returns each with its latest 50 attempts. Only ' +
      'for admins and the owner.',
    webhooks: WEBHOOK_EVENTS,
  })
  async getDeliveries(
    @CurrentActor() { workspaceId }: Actor,
    @RequestQuery() query: DeliveriesQuery,
    @PageQuery() page: PageRequest,
  ) {
    const of = { generationId: query.generation_id, batchId: query.batch_id, endpointId: query.endpoint_id };
    return listOf('deliveries', await this.views.list(workspaceId, of, page), deliveryDto);
  }

  @Post('deliveries/:id/redeliver')
  @May('webhook.manage')
  @Existing('delivery', 'id')
  @Responds(200, DeliveryResponse, {
    id: 'webhooks.deliveries.redeliver',
    summary: 'Call a webhook again',
    description:
      'Calls a webhook again, whether it was delivered or not. Returns the delivery, whose schedule begins anew. ' +
      'Its `webhook-id` stays the same. Only for admins and the owner.',
  })
  async postRedelivery(@CurrentActor() actor: Actor, @PathId('id') id: number) {
    return { delivery: deliveryDto(await this.deliveries.redeliver(actor, id)) };
  }
}

@Module({ imports: [GenerationModule, IdentityModule], controllers: [WebhooksController] })
export class WebhooksApiModule {
  constructor(@Inject(ExistenceChecks) checks: ExistenceChecks, @Inject(deliveryViews) views: DeliveryViews) {
    checks.register('delivery', ({ workspaceId }, id) => views.exists(workspaceId, id));
  }
}

import { Controller, Delete, Get, Inject, Put } from '@nestjs/common';
import type { Actor } from '#identity';
import { notFound, type Clock } from '#kernel';
import { Endpoints, type EndpointStore } from '#webhooks';
import { clock, endpointStore } from '#wiring';
import { CurrentActor, ExistenceChecks, Existing, May, PathId, Post, RequestBody, Responds } from '../http/index.ts';
import {
  CreateEndpointRequest,
  endpointDto,
  endpointFields,
  EndpointResponse,
  EndpointsResponse,
  newEndpointDto,
  NewEndpointResponse,
  rangeOf,
  RedeliveredResponse,
  RedeliverRequest,
  UpdateEndpointRequest,
} from './endpoints.dto.ts';

const ADMINS = ' Only for admins and the owner.';

@Controller('v2/webhook_endpoints')
export class EndpointsController {
  constructor(
    @Inject(Endpoints) private readonly endpoints: Endpoints,
    @Inject(endpointStore) private readonly store: Pick<EndpointStore, 'list' | 'find'>,
    @Inject(clock) private readonly time: Clock,
    @Inject(ExistenceChecks) checks: ExistenceChecks,
  ) {
    checks.register('webhook_endpoint', async ({ workspaceId }, id) => (await store.find(workspaceId, id)) !== null);
  }

  @Get()
  @May('webhook.manage')
  @Responds(200, EndpointsResponse, {
    id: 'webhookEndpoints.list',
    summary: 'List webhook endpoints',
    description: 'Lists the receivers of the events of the workspace. Returns them without their secrets.' + ADMINS,
  })
  async getEndpoints(@CurrentActor() { workspaceId }: Actor) {
    return { webhook_endpoints: (await this.store.list(workspaceId)).map(endpointDto) };
  }

  @Post()
  @May('webhook.manage')
  @Responds(201, NewEndpointResponse, {
    id: 'webhookEndpoints.create',
    summary: 'Register a webhook endpoint',
    description:
      'Registers a URL that gets the events of the workspace from now on, signed by Standard Webhooks. Returns the ' +
      'endpoint with its secret, which is shown only here. The events of one subject are delivered in their order; a ' +
      'subject that fails delays no other.' +
      ADMINS,
    errors: ['conflict'],
  })
  async postEndpoint(@CurrentActor() actor: Actor, @RequestBody() body: CreateEndpointRequest) {
    const fields = { types: null, description: null, isActive: true, ...endpointFields(body), url: body.url };
    return { webhook_endpoint: newEndpointDto(await this.endpoints.add(actor, fields)) };
  }

  @Get(':id')
  @May('webhook.manage')
  @Responds(200, EndpointResponse, {
    id: 'webhookEndpoints.get',
    summary: 'Read a webhook endpoint',
    description: 'Reads a receiver of events. Returns it without its secret.' + ADMINS,
  })
  async getEndpoint(@CurrentActor() { workspaceId }: Actor, @PathId('id') id: number) {
    const endpoint = await this.store.find(workspaceId, id);
    if (!endpoint) throw notFound('webhook_endpoint');
    return { webhook_endpoint: endpointDto(endpoint) };
  }

  @Put(':id')
  @May('webhook.manage')
  @Existing('webhook_endpoint', 'id')
  @Responds(200, EndpointResponse, {
    id: 'webhookEndpoints.update',
    summary: 'Change a webhook endpoint',
    description:
      'Changes a receiver of events. Returns it. While it is not active it gets no events; ' +
      '`POST …/redeliver` delivers those of that time.' +
      ADMINS,
  })
  async putEndpoint(
    @CurrentActor() actor: Actor,
    @PathId('id') id: number,
    @RequestBody() body: UpdateEndpointRequest,
  ) {
    return { webhook_endpoint: endpointDto(await this.endpoints.update(actor, id, endpointFields(body))) };
  }

  @Delete(':id')
  @May('webhook.manage')
  @Existing('webhook_endpoint', 'id')
  @Responds(200, null, {
    id: 'webhookEndpoints.delete',
    summary: 'Delete a webhook endpoint',
    description: 'Deletes a receiver of events with its deliveries. Returns only `status`.' + ADMINS,
  })
  async deleteEndpoint(@CurrentActor() actor: Actor, @PathId('id') id: number) {
    await this.endpoints.delete(actor, id);
  }

  @Post(':id/secret')
  @May('webhook.manage')
  @Existing('webhook_endpoint', 'id')
  @Responds(200, NewEndpointResponse, {
    id: 'webhookEndpoints.secret.rotate',
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'Replaces the secret that signs the calls of an endpoint. Returns the endpoint with the new secret. The old one ' +
      'also signs for 24 hours.' +
      ADMINS,
  })
  async postSecret(@CurrentActor() actor: Actor, @PathId('id') id: number) {
    return { webhook_endpoint: newEndpointDto(await this.endpoints.rotateSecret(actor, id)) };
  }

  @Post(':id/test')
  @May('webhook.manage')
  @Existing('webhook_endpoint', 'id')
  @Responds(202, null, {
    id: 'webhookEndpoints.check',
    summary: 'Test a webhook endpoint',
    description:
      'Sends one event of the type `test` to an endpoint. Returns only `status`; its result is in ' +
      '`GET /v2/webhooks/deliveries`.' +
      ADMINS,
    errors: ['conflict'],
  })
  async postTest(@CurrentActor() actor: Actor, @PathId('id') id: number) {
    await this.endpoints.test(actor, id);
  }

  @Post(':id/redeliver')
  @May('webhook.manage')
  @Existing('webhook_endpoint', 'id')
  @Responds(202, RedeliveredResponse, {
    id: 'webhookEndpoints.redeliver',
    summary: 'Deliver events again',
    description:
      'Delivers events of the last 30 days again, by their ids or by a time range, whether they were delivered or not. ' +
      'Returns how many there are. Their `webhook-id` stays the same.' +
      ADMINS,
    errors: ['conflict'],
  })
  async postRedelivery(@CurrentActor() actor: Actor, @PathId('id') id: number, @RequestBody() body: RedeliverRequest) {
    return { events: await this.endpoints.redeliver(actor, id, rangeOf(body, this.time.now())) };
  }
}

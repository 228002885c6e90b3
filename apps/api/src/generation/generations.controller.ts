import { Controller, Get, Inject, Module, Res, type OnModuleDestroy } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { StoredUrls } from '#files';
import { Generations, GenerationWatch, type GenerationEvent, type GenerationViews } from '#generation';
import type { Actor } from '#identity';
import type { PageRequest } from '#kernel';
import { GenerationModule, generationViews, IdentityModule, StorageModule } from '#wiring';
import { CurrentActor, cursorOf, PageQuery, PathId, Post, RequestQuery, Responds } from '../http/index.ts';
import { EventStream, type ServerSentEvent } from './event-stream.ts';
import { GenerateController } from './generate.controller.ts';
import {
  generationFilter,
  GenerationResponse,
  generationResponse,
  GenerationsQuery,
  GenerationsResponse,
} from './generation.dto.ts';
import { ProviderWebhooksController } from './provider-webhooks.controller.ts';
import { StreamLimit } from './stream-limit.ts';
import { StreamRights } from './stream-rights.ts';

@ApiTags('Generation')
@Controller('v2/generations')
export class GenerationsController implements OnModuleDestroy {
  readonly #stopping = new AbortController();

  constructor(
    @Inject(Generations) private readonly generations: Generations,
    @Inject(GenerationWatch) private readonly watch: GenerationWatch,
    @Inject(generationViews) private readonly views: GenerationViews,
    @Inject(StoredUrls) private readonly urls: StoredUrls,
    @Inject(StreamRights) private readonly rights: StreamRights,
    @Inject(StreamLimit) private readonly streamLimit: StreamLimit,
  ) {}

  onModuleDestroy(): void {
    this.#stopping.abort();
  }

  @Get()
  @Responds(200, GenerationsResponse, {
    id: 'generations.list',
    summary: 'List generations',
    description:
      'Lists the generations of the workspace, newest first. Returns the generations that match all given filters.',
    errors: ['validation_failed'],
  })
  async getGenerations(
    @CurrentActor() actor: Actor,
    @RequestQuery() query: GenerationsQuery,
    @PageQuery() page: PageRequest,
  ): Promise<GenerationsResponse> {
    const { items, next } = await this.views.list(actor.workspaceId, page, generationFilter(query));
    const generations = items.map((item) => generationResponse(item, this.urls));
    return { generations, next_cursor: cursorOf(next) };
  }

  @Get(':id')
  @Responds(200, GenerationResponse, {
    id: 'generations.get',
    summary: 'Read a generation',
    description:
      'Reads one generation. Returns its state, progress and inputs, and when it has ended its outputs or its ' +
      'error.',
    errors: ['validation_failed', 'not_found'],
  })
  async getGeneration(@CurrentActor() actor: Actor, @PathId('id') id: number): Promise<GenerationResponse> {
    return generationResponse(await this.views.get(actor.workspaceId, id), this.urls);
  }

  @Post(':id/cancel')
  @Responds(200, GenerationResponse, {
    id: 'generations.cancel',
    summary: 'Cancel a generation',
    description:
      'Stops a generation that has not ended, and releases its credits at once. Returns the generation. Canceling ' +
      'it again changes nothing; a generation that succeeded or failed is refused with `conflict`.',
    errors: ['validation_failed', 'not_found', 'conflict'],
  })
  async postCancel(@CurrentActor() actor: Actor, @PathId('id') id: number): Promise<GenerationResponse> {
    await this.generations.cancel(actor, id);
    return this.getGeneration(actor, id);
  }

  @Get(':id/events')
  @Responds(200, null, {
    id: 'generations.follow',
    summary: 'Follow a generation',
    description:
      'Follows a generation until it ends. Returns a stream of server-sent events: `state` (first the current ' +
      'state, then each change) and `progress`, both with `{"state", "progress"}`, and last `done` with the ' +
      'generation as in the response of `GET /v2/generations/:id`. Then the stream ends. It ends without `done` ' +
      'when the token is revoked or expires, or acts in another workspace. An account may have 50 streams open, ' +
      'or as many as the operator allows; one more is `rate_limited`.',
    contentType: 'text/event-stream',
    errors: ['validation_failed', 'not_found', 'unavailable'],
  })
  async getEvents(@CurrentActor() actor: Actor, @PathId('id') id: number, @Res() response: Response): Promise<void> {
    this.streamLimit.acquire(actor.userId, response);
    const stream = new EventStream(response);
    const lost = this.rights.watch(actor, stream.closed);
    const stop = AbortSignal.any([stream.closed, this.#stopping.signal, lost]);
    await stream.send(this.#serverSent(actor, await this.watch.follow(actor, id, stop)));
  }

  async *#serverSent(actor: Actor, events: AsyncIterable<GenerationEvent>): AsyncGenerator<ServerSentEvent> {
    for await (const event of events) {
      if (!(await this.rights.holds(actor))) return;
      const isDone = event.name === 'done';
      const data = isDone ? generationResponse(event.generation, this.urls) : event.change;
      yield { name: event.name, data };
    }
  }
}

@Module({
  imports: [GenerationModule, IdentityModule, StorageModule],
  controllers: [GenerateController, GenerationsController, ProviderWebhooksController],
  providers: [StreamLimit, StreamRights],
})
export class GenerationApiModule {}

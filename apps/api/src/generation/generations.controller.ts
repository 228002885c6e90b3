import { Controller, Get, Inject, Post, Res, type OnModuleDestroy } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CancelGeneration, WatchGeneration, type GenerationEvent, type GenerationViews } from '#generation';
import type { Actor } from '#identity';
import type { PageRequest } from '#kernel';
import { generationViews } from '#wiring';
import { Responds, CurrentActor, cursorOf, PageQuery, PathId } from '../http/index.ts';
import { EventStream, type ServerSentEvent } from './event-stream.ts';
import { GenerationView, generationView } from './generation-view.ts';
import { GenerationsAnswer } from './generations-answer.ts';

@ApiTags('Generation')
@Controller('v2/generations')
export class GenerationsController implements OnModuleDestroy {
  readonly #stopping = new AbortController();

  constructor(
    @Inject(CancelGeneration) private readonly cancelGeneration: CancelGeneration,
    @Inject(WatchGeneration) private readonly watchGeneration: WatchGeneration,
    @Inject(generationViews) private readonly views: GenerationViews,
  ) {}

  onModuleDestroy(): void {
    this.#stopping.abort();
  }

  @Get()
  @Responds(200, GenerationsAnswer, { summary: 'List generations', errors: ['validation_failed'] })
  async getGenerations(
    @CurrentActor() actor: Actor,
    @PageQuery() page: PageRequest,
  ): Promise<GenerationsAnswer> {
    const { items, next } = await this.views.list(actor.workspaceId, page);
    return { generations: items.map(generationView), next_cursor: cursorOf(next) };
  }

  @Get(':id')
  @Responds(200, GenerationView, { summary: 'Read a generation', errors: ['validation_failed', 'not_found'] })
  async getGeneration(@CurrentActor() actor: Actor, @PathId('id') id: number): Promise<GenerationView> {
    return generationView(await this.views.get(actor.workspaceId, id));
  }

  @Post(':id/cancel')
  @Responds(200, GenerationView, {
    summary: 'Cancel a generation',
    description:
      'It stops, and its credits come back at once. Canceling a canceled one changes nothing; one that succeeded or failed is refused with `conflict`.',
    errors: ['validation_failed', 'not_found', 'conflict'],
  })
  async postCancel(@CurrentActor() actor: Actor, @PathId('id') id: number): Promise<GenerationView> {
    await this.cancelGeneration.run(actor, id);
    return generationView(await this.views.get(actor.workspaceId, id));
  }

  @Get(':id/events')
  @Responds(200, null, {
    summary: 'Follow a generation',
    description:
      'Server-sent events: `state` (first the current one, then each change) and `progress`, both with `{"state", "progress"}`, and at last `done` with the generation as `GET /v2/generations/:id` answers it; then the stream ends.',
    contentType: 'text/event-stream',
    errors: ['validation_failed', 'not_found', 'unavailable'],
  })
  async getEvents(
    @CurrentActor() actor: Actor,
    @PathId('id') id: number,
    @Res() response: Response,
  ): Promise<void> {
    const stream = new EventStream(response);
    const stop = AbortSignal.any([stream.closed, this.#stopping.signal]);
    await stream.send(serverSent(await this.watchGeneration.run(actor, id, stop)));
  }
}

async function* serverSent(events: AsyncIterable<GenerationEvent>): AsyncGenerator<ServerSentEvent> {
  for await (const event of events) {
    yield {
      name: event.name,
      data: event.name === 'done' ? generationView(event.generation) : event.change,
    };
  }
}

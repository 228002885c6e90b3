import { Controller, Get, Inject, Module, Res } from '@nestjs/common';
import type { Response } from 'express';
import { WorkspaceUrls, type IssuedUrls } from '#files';
import { Generations, GenerationWatch, type GenerationEvent, type GenerationViews } from '#generation';
import { customerFilterFor, type Actor } from '#identity';
import type { PageRequest } from '#kernel';
import { GenerationModule, generationViews, StorageModule } from '#wiring';
import { EventStreams, StreamsModule } from '../streams/event-streams.ts';
import { CurrentActor, listOf, PageQuery, PathId, Post, RequestQuery, Responds, CurrentUrls } from '../http/index.ts';
import { GenerateController } from './generate.controller.ts';
import {
  generationFilter,
  GenerationResponse,
  generationResponse,
  GenerationsQuery,
  GenerationsResponse,
} from './generation.dto.ts';
import { GenerationWaits } from './generation-waits.ts';
import { LineageResponse, lineageResponse } from './lineage.dto.ts';
import { PresetsController } from './presets.controller.ts';
import { ProviderWebhooksController } from './provider-webhooks.controller.ts';

@Controller('v2/generations')
export class GenerationsController {
  constructor(
    @Inject(Generations) private readonly generations: Generations,
    @Inject(GenerationWatch) private readonly watch: GenerationWatch,
    @Inject(generationViews) private readonly views: GenerationViews,
    @Inject(EventStreams) private readonly streams: EventStreams,
    @Inject(WorkspaceUrls) private readonly urls: WorkspaceUrls,
  ) {}

  @Get()
  @Responds(200, GenerationsResponse, {
    id: 'generations.list',
    summary: 'List generations',
    description:
      'Lists the generations of the workspace, newest first. Returns the generations that match all given filters.',
    errors: ['forbidden'],
  })
  async getGenerations(
    @CurrentActor() actor: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @RequestQuery() query: GenerationsQuery,
    @PageQuery() page: PageRequest,
  ) {
    customerFilterFor(actor, query.customer);
    const generations = await this.views.list(actor.workspaceId, page, generationFilter(query));
    return listOf('generations', generations, (item) => generationResponse(item, urls));
  }

  @Get(':id')
  @Responds(200, GenerationResponse, {
    id: 'generations.get',
    summary: 'Read a generation',
    description:
      'Reads one generation. Returns its state, progress and inputs, and when it has ended its outputs or its ' +
      'error.',
  })
  async getGeneration(@CurrentActor() actor: Actor, @CurrentUrls() urls: IssuedUrls, @PathId('id') id: number) {
    return generationResponse(await this.views.get(actor.workspaceId, id), urls);
  }

  @Get(':id/lineage')
  @Responds(200, LineageResponse, {
    id: 'generations.lineage.get',
    summary: 'Read the lineage of a generation',
    description:
      'Reads where a generation came from and what came of it, by the `parent` of `POST /v2/generate`. Returns its ' +
      'ancestors and descendants, 200 at most, without generations that failed or were canceled, and without those ' +
      'whose outputs were deleted.',
  })
  async getLineage(@CurrentActor() actor: Actor, @CurrentUrls() urls: IssuedUrls, @PathId('id') id: number) {
    return lineageResponse(await this.views.lineage(actor.workspaceId, id), urls);
  }

  @Post(':id/cancel')
  @Responds(200, GenerationResponse, {
    id: 'generations.cancel',
    summary: 'Cancel a generation',
    description:
      'Stops a generation that has not ended, and releases its credits at once. Returns the generation. Canceling ' +
      'it again changes nothing; a generation that succeeded or failed is refused with `conflict`.',
    errors: ['conflict'],
  })
  async postCancel(@CurrentActor() actor: Actor, @CurrentUrls() urls: IssuedUrls, @PathId('id') id: number) {
    await this.generations.cancel(actor, id);
    return this.getGeneration(actor, urls, id);
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
  })
  async getEvents(@CurrentActor() actor: Actor, @PathId('id') id: number, @Res() response: Response) {
    const follow = (stop: AbortSignal) => this.watch.follow(actor, id, stop);
    await this.streams.send(actor, response, follow, async (event: GenerationEvent) => {
      if (event.name !== 'done') return { name: event.name, data: event.change };
      return { name: event.name, data: generationResponse(event.generation, await this.urls.of(actor.workspaceId)) };
    });
  }
}

@Module({
  imports: [GenerationModule, StorageModule, StreamsModule],
  providers: [GenerationWaits],
  controllers: [GenerateController, GenerationsController, PresetsController, ProviderWebhooksController],
  exports: [GenerationWaits],
})
export class GenerationApiModule {}

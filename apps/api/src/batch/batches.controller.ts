import { randomInt } from 'node:crypto';
import { Controller, Get, Inject, Module, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Batches, BatchWatch, MAX_CELLS, MAX_FIRST_SEED, type BatchViews } from '#batch';
import type { IssuedUrls } from '#files';
import { customerFilterFor, type Actor } from '#identity';
import type { PageRequest } from '#kernel';
import { BatchModule, batchViews, StorageModule } from '#wiring';
import { EventStreams, StreamsModule } from '../streams/event-streams.ts';
import {
  CurrentActor,
  cursorOf,
  ExistenceChecks,
  Existing,
  listOf,
  PageQuery,
  PathId,
  Post,
  RequestBody,
  RequestFields,
  RequestQuery,
  Responds,
  TakesCsv,
  CurrentUrls,
} from '../http/index.ts';
import {
  batchCall,
  BatchCellsResponse,
  batchDto,
  BatchDryRunResponse,
  BatchesQuery,
  BatchesResponse,
  BatchRequest,
  BatchResponse,
  cellDtos,
  CellsQuery,
  dryRunResponse,
  RetryRequest,
} from './batches.dto.ts';

const OF_CREDITS = ['insufficient_credits', 'budget_exceeded', 'quota_exceeded'] as const;
const OF_ONE = ['validation_failed', 'not_found', 'conflict'] as const;

@Controller('v2/batches')
export class BatchesController {
  constructor(
    @Inject(Batches) private readonly batches: Batches,
    @Inject(BatchWatch) private readonly watch: BatchWatch,
    @Inject(batchViews) private readonly views: BatchViews,
    @Inject(EventStreams) private readonly streams: EventStreams,
  ) {}

  @Post()
  @TakesCsv({ field: 'rows', maxRows: MAX_CELLS })
  @Responds(202, BatchResponse, {
    id: 'batches.create',
    summary: 'Generate a batch',
    description:
      'Starts up to 1,000 generations, all or none; with `dry_run` only computes their number and costs. Returns the ' +
      'batch. Each cell is a generation. Credits are reserved at once for all cells. When cells are wrong, the first 20 ' +
      'are named in `errors`, as `cells.7.seed`. With `text/csv` the body has the rows, with a header row of field names, ' +
      'and the other fields are in the query string. A dry run responds with 200.',
    also: { 200: [BatchDryRunResponse] },
    errors: [...OF_CREDITS, 'no_persona', 'conflict'],
  })
  async postBatch(
    @CurrentActor() actor: Actor,
    @RequestFields() body: BatchRequest,
    @Res({ passthrough: true }) response: Response,
  ) {
    const accepted = await this.batches.create(actor, batchCall(body, randomInt(1, MAX_FIRST_SEED + 1)));
    response.status(accepted.id === null ? 200 : 202);
    return accepted.id === null ? dryRunResponse(accepted) : this.#read(actor, accepted.id);
  }

  @Get()
  @Responds(200, BatchesResponse, {
    id: 'batches.list',
    summary: 'List batches',
    description: 'Lists the batches of the workspace, newest first. Returns each with its cells by state.',
    errors: ['forbidden'],
  })
  async getBatches(
    @CurrentActor() actor: Actor,
    @RequestQuery() { customer }: BatchesQuery,
    @PageQuery() page: PageRequest,
  ) {
    const batches = await this.views.list(actor.workspaceId, page, customerFilterFor(actor, customer));
    return listOf('batches', batches, batchDto);
  }

  @Get(':id')
  @Existing('batch', 'id')
  @Responds(200, BatchCellsResponse, {
    id: 'batches.get',
    summary: 'Read a batch',
    description: 'Reads one batch and a page of its cells. Returns each cell with its generation and its first output.',
  })
  async getBatch(
    @CurrentActor() { workspaceId }: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('id') id: number,
    @RequestQuery() { state }: CellsQuery,
    @PageQuery() page: PageRequest,
  ) {
    const batch = await this.views.get(workspaceId, id);
    const { items, next } = await this.views.cells(workspaceId, id, page, state ?? null);
    return { batch: batchDto(batch), cells: cellDtos(batch, items, urls), next_cursor: cursorOf(next) };
  }

  @Post(':id/pause')
  @Existing('batch', 'id')
  @Responds(200, BatchResponse, {
    id: 'batches.pause',
    summary: 'Pause a batch',
    description:
      'Holds the cells that have not started; those under way end. Returns the batch. Its credits stay reserved. ' +
      'Pausing it again changes nothing; a batch that has ended is refused with `conflict`.',
    errors: OF_ONE,
  })
  async postPause(@CurrentActor() actor: Actor, @PathId('id') id: number) {
    await this.batches.pause(actor, id);
    return this.#read(actor, id);
  }

  @Post(':id/resume')
  @Existing('batch', 'id')
  @Responds(200, BatchResponse, {
    id: 'batches.resume',
    summary: 'Resume a batch',
    description:
      'Continues a paused batch. Returns the batch. Resuming one that runs changes nothing; a batch that has ended is ' +
      'refused with `conflict`.',
    errors: OF_ONE,
  })
  async postResume(@CurrentActor() actor: Actor, @PathId('id') id: number) {
    await this.batches.resume(actor, id);
    return this.#read(actor, id);
  }

  @Post(':id/cancel')
  @Existing('batch', 'id')
  @Responds(200, BatchResponse, {
    id: 'batches.cancel',
    summary: 'Cancel a batch',
    description:
      'Cancels the cells that have not ended, within seconds, and releases their credits. Returns the batch, which is ' +
      '`canceling` until the last cell has ended. Canceling it again changes nothing; a batch that has ended is refused ' +
      'with `conflict`.',
    errors: OF_ONE,
  })
  async postCancel(@CurrentActor() actor: Actor, @PathId('id') id: number) {
    await this.batches.cancel(actor, id);
    return this.#read(actor, id);
  }

  @Post(':id/retry')
  @Existing('batch', 'id')
  @Responds(200, BatchResponse, {
    id: 'batches.retry',
    summary: 'Retry failed cells',
    description:
      'Generates failed cells again with the same inputs and parameters, at the price of today, all or none. Returns the ' +
      'batch. Each cell gets a new generation, and its credits are reserved. `conflict` when no such cell has failed.',
    errors: [...OF_ONE, ...OF_CREDITS],
  })
  async postRetry(@CurrentActor() actor: Actor, @PathId('id') id: number, @RequestBody() { cells }: RetryRequest) {
    await this.batches.retry(actor, id, cells ?? null);
    return this.#read(actor, id);
  }

  @Get(':id/events')
  @Responds(200, null, {
    id: 'batches.follow',
    summary: 'Follow a batch',
    description:
      'Follows a batch until it ends. Returns a stream of server-sent events, each with the batch: `state` (first the ' +
      'current state, then each change), `progress` when cells have changed, and last `done`. Then the stream ends, as ' +
      'that of `GET /v2/generations/:id/events`, with which it shares the limit of open streams.',
    contentType: 'text/event-stream',
  })
  async getEvents(@CurrentActor() actor: Actor, @PathId('id') id: number, @Res() response: Response) {
    const follow = (stop: AbortSignal) => this.watch.follow(actor, id, stop);
    await this.streams.send(actor, response, follow, ({ name, batch }) => ({ name, data: batchDto(batch) }));
  }

  async #read({ workspaceId }: Actor, id: number): Promise<BatchResponse> {
    return { batch: batchDto(await this.views.get(workspaceId, id)) };
  }
}

@Module({ imports: [BatchModule, StorageModule, StreamsModule], controllers: [BatchesController] })
export class BatchApiModule {
  constructor(@Inject(ExistenceChecks) checks: ExistenceChecks, @Inject(batchViews) views: BatchViews) {
    checks.register('batch', ({ workspaceId }, id) => views.exists(workspaceId, id));
  }
}

import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiExtraModels } from '@nestjs/swagger';
import type { Response } from 'express';
import { isRetired, type Models } from '#catalogue';
import type { IssuedUrls } from '#files';
import { GenerationResults, Generations } from '#generation';
import type { Actor } from '#identity';
import type { Clock } from '#kernel';
import { clock, models } from '#wiring';
import {
  BodyFields,
  CurrentActor,
  type FieldValues,
  Post,
  RequestFields,
  RequestQuery,
  Responds,
  CurrentUrls,
} from '../http/index.ts';
import { generateCall } from './generate-call.ts';
import {
  DryRunResponse,
  GenerateRequest,
  GenerateResponse,
  generateResponse,
  OutputReferenceDto,
} from './generation.dto.ts';
import { generationIdOf, MaskDto, ResultsRequest, ResultsResponse, WaitedResponse } from './results.dto.ts';
import { ModelsResponse, modelsResponse } from './models.dto.ts';
import { MayWait } from './wait-for-end.ts';

const POLL = {
  summary: 'Poll a generation',
  description:
    'Reads the progress of a generation. Returns its state and progress, and once it has ended its output or error.',
  errors: ['not_found'],
} as const;

@ApiExtraModels(MaskDto, OutputReferenceDto)
@Controller('v2')
export class GenerateController {
  constructor(
    @Inject(Generations) private readonly generations: Generations,
    @Inject(models) private readonly catalogue: Models,
    @Inject(GenerationResults) private readonly results: GenerationResults,
    @Inject(clock) private readonly clock: Clock,
  ) {}

  @Post('generate')
  @MayWait()
  @Responds(202, GenerateResponse, {
    id: 'generations.create',
    summary: 'Generate pictures or a video',
    description:
      'Starts a generation; with `dry_run` only computes its inputs and cost. Returns its id and the URL to poll. ' +
      'Also takes the fields that the model declares (see `GET /v2/models`); fields may be in the query string. ' +
      'Credits are reserved at once, charged when the generation succeeds, and released when it fails or is ' +
      'canceled. When fewer outputs are made than `count` asks for, the credits of the missing outputs are ' +
      'released. A generation fails when its persona is deleted. A dry run responds with 200. With ' +
      '`processing_url` the call polls, in the older way: it responds as `/v2/results`, and starts and charges ' +
      'nothing. With `wait` it responds with 200 and the results if the generation ends in time; a closed connection ' +
      'cancels nothing. With an `Idempotency-Key` too: the acceptance is kept, and a repeated call waits for the same ' +
      'generation. Waits count among the open event streams of the account: one more responds at once.',
    also: { 200: [DryRunResponse, ResultsResponse, WaitedResponse] },
    errors: [
      'not_found',
      'insufficient_credits',
      'budget_exceeded',
      'quota_exceeded',
      'no_persona',
      'slot_empty',
      'file_expired',
      'model_retired',
      'provider_misconfigured',
      'conflict',
    ],
  })
  async postGenerate(
    @CurrentActor() actor: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @RequestFields() body: GenerateRequest,
    @BodyFields() fields: FieldValues,
    @Res({ passthrough: true }) response: Response,
  ) {
    const dryRun = body.dry_run ?? false;
    response.status(dryRun || body.processing_url ? 200 : 202);
    if (body.processing_url) return this.#results(actor, body.processing_url);
    const call = await this.generations.request(actor, generateCall(body, fields));
    return generateResponse(call, urls);
  }

  @Get('models')
  @Responds(200, ModelsResponse, {
    id: 'models.list',
    summary: 'List the models',
    description:
      'Lists the models that can be used now, without those that have ended. Returns for each what it makes, what it ' +
      'costs, when it ends, and the inputs and parameters that it takes.',
  })
  getModels() {
    const now = this.clock.now();
    return modelsResponse(this.catalogue.all.filter((model) => !isRetired(model, now)));
  }

  @Get('results')
  @Responds(200, ResultsResponse, { id: 'results.get', ...POLL })
  getResults(@CurrentActor() actor: Actor, @RequestQuery() query: ResultsRequest) {
    return this.#results(actor, query.processing_url);
  }

  @Post('results')
  @Responds(200, ResultsResponse, { id: 'results.read', ...POLL })
  postResults(@CurrentActor() actor: Actor, @RequestFields() body: ResultsRequest) {
    return this.#results(actor, body.processing_url);
  }

  async #results({ workspaceId }: Actor, processingUrl: string): Promise<ResultsResponse> {
    const id = generationIdOf(processingUrl);
    return this.results.get(workspaceId, id);
  }
}

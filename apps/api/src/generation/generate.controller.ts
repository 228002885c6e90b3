import { Controller, Get, Inject, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ModelCatalog, RequestGeneration, type GenerationViews } from '#generation';
import type { Actor } from '#identity';
import { generationViews } from '#wiring';
import {
  Responds,
  CurrentActor,
  RequestBody,
  RequestQuery,
  BodyFields,
  type FieldValues,
} from '../http/index.ts';
import { DryRunAnswer, GenerateAnswer, generateAnswer } from './generate-answer.ts';
import { GenerateForm } from './generate-form.ts';
import { ModelsAnswer, modelsAnswer } from './models-answer.ts';
import { generationIdOf } from './processing-url.ts';
import { ResultsAnswer, resultsAnswer } from './results-answer.ts';
import { ResultsForm } from './results-form.ts';

@ApiTags('Generation')
@Controller('v2')
export class GenerateController {
  constructor(
    @Inject(RequestGeneration) private readonly requestGeneration: RequestGeneration,
    @Inject(ModelCatalog) private readonly models: ModelCatalog,
    @Inject(generationViews) private readonly views: GenerationViews,
  ) {}

  @Post('generate')
  @Responds(202, GenerateAnswer, {
    summary: 'Generate pictures or a video',
    description:
      'Fields that the model declares (see `GET /v2/models`) are taken as well. Credits are reserved now, charged once it succeeds, and returned when it fails or is canceled; it fails too when its persona is deleted before it ends. A dry run is answered with 200.',
    also: { 200: DryRunAnswer },
    errors: [
      'validation_failed',
      'insufficient_credits',
      'not_found',
      'no_persona',
      'slot_empty',
      'file_expired',
      'conflict',
    ],
  })
  async postGenerate(
    @CurrentActor() actor: Actor,
    @RequestBody() form: GenerateForm,
    @BodyFields() fields: FieldValues,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GenerateAnswer | DryRunAnswer> {
    const dryRun = form.dry_run ?? false;
    const call = await this.requestGeneration.run(actor, {
      model: form.model,
      personaId: form.pid ?? null,
      styleTransfer: form.style_transfer ?? null,
      image: form.image ?? null,
      prompt: form.prompt ?? null,
      fields,
      dryRun,
    });
    response.status(dryRun ? 200 : 202);
    return generateAnswer(call);
  }

  @Get('models')
  @Responds(200, ModelsAnswer, { summary: 'List the generators' })
  getModels(): ModelsAnswer {
    return modelsAnswer(this.models.all);
  }

  @Get('results')
  @Responds(200, ResultsAnswer, { summary: 'Poll a generation', errors: ['validation_failed', 'not_found'] })
  getResults(@CurrentActor() actor: Actor, @RequestQuery() query: ResultsForm): Promise<ResultsAnswer> {
    return this.#results(actor, query);
  }

  @Post('results')
  @Responds(200, ResultsAnswer, { summary: 'Poll a generation', errors: ['validation_failed', 'not_found'] })
  postResults(@CurrentActor() actor: Actor, @RequestBody() form: ResultsForm): Promise<ResultsAnswer> {
    return this.#results(actor, form);
  }

  async #results({ workspaceId }: Actor, form: ResultsForm): Promise<ResultsAnswer> {
    return resultsAnswer(await this.views.get(workspaceId, generationIdOf(form.processing_url)));
  }
}

import { Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { servingHeaders, type ObjectStorage } from '#files';
import { Trials, type TrialOutput } from '#generation';
import { objectStorage } from '#wiring';
import { PathId, Post, RequestBody, Responds } from '../http/index.ts';
import { servableStorage, serveObject } from '../storage/serve-object.ts';
import { ForOperators } from './operator-guard.ts';
import { trialDto, TrialResponse, TryModelRequest } from './trials.dto.ts';

/** Trials of models: real outputs for operators alone. */
@ForOperators()
export class TrialsController {
  constructor(
    @Inject(Trials) private readonly trials: Trials,
    @Inject(objectStorage) private readonly storage: ObjectStorage,
  ) {}

  @Post('models/:id/try')
  @Responds(202, TrialResponse, {
    id: 'operators.trials.create',
    summary: 'Try a model',
    description:
      'Starts one real run of a model, which the vendor bills; no credits are charged. Returns the trial: read it again ' +
      'until it has ended. While a trial of the model is under way, the same request returns that trial, and another ' +
      'one is refused.',
    errors: ['forbidden', 'conflict'],
  })
  async postTry(@Param('id') id: string, @RequestBody() body: TryModelRequest) {
    const { entry = null, prompt = null, parameters = {}, inputs = {} } = body;
    return { trial: trialDto(await this.trials.start(id, { entry, prompt, parameters, inputs })) };
  }

  @Get('trials/:id')
  @Responds(200, TrialResponse, {
    id: 'operators.trials.get',
    summary: 'Read a trial of a model',
    description: 'Reads a trial, which is stored for a day. Returns the trial, with its outputs when it has succeeded.',
  })
  async getTrial(@PathId('id') id: number) {
    return { trial: trialDto(await this.trials.find(id)) };
  }

  @Get('trials/:id/outputs/:position')
  @Responds(200, null, {
    id: 'operators.trials.download',
    summary: 'Download an output of a trial',
    description: 'Sends an output of a trial, whole or the range of the header `Range`. Returns the bytes.',
    contentType: 'application/octet-stream',
  })
  async getOutput(
    @PathId('id') id: number,
    @PathId('position') position: number,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    const output = await this.trials.findOutput(id, position);
    const storage = servableStorage(this.storage);
    const serve = async (key: string) => {
      const object = await storage.serve(key);
      return object && { ...object, headers: headersOf(output) };
    };
    await serveObject(request, response, { serve }, output.key);
  }
}

/** A drawing can't run scripts as the operator. */
function headersOf({ contentType }: TrialOutput) {
  return { ...servingHeaders({ contentType, expiresAt: null }), cacheControl: 'private, no-store' };
}

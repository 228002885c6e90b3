import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { GenerationResults } from '#generation';
import { type ApiRequest, readFields, requestFields } from '../http/index.ts';
import { GenerationWaits } from './generation-waits.ts';
import { GenerateRequest, type GenerateResponse } from './generation.dto.ts';
import type { WaitedResponse } from './results.dto.ts';

/**
 * Waits for the end of the generation that was accepted, if the call asks for it. The acceptance is committed by then, and
 * so is its response for an `Idempotency-Key`: a repeated call waits for the same generation.
 */
@Injectable()
export class WaitInterceptor implements NestInterceptor {
  constructor(
    @Inject(GenerationWaits) private readonly waits: GenerationWaits,
    @Inject(GenerationResults) private readonly results: GenerationResults,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<GenerateResponse | string>): Observable<unknown> {
    return from(this.#respond(context, next));
  }

  async #respond(
    context: ExecutionContext,
    next: CallHandler<GenerateResponse | string>,
  ): Promise<GenerateResponse | WaitedResponse | string> {
    const accepted = await lastValueFrom(next.handle());
    const http = context.switchToHttp();
    const [{ actor }, response] = [http.getRequest<ApiRequest>(), http.getResponse<Response>()];
    if (response.statusCode !== 202) return accepted;
    const { wait } = readFields(GenerateRequest, { wait: (await requestFields(context)).wait });
    if (!wait) return accepted;
    // The response for an `Idempotency-Key` is already text.
    const { generation_id } = (typeof accepted === 'string' ? JSON.parse(accepted) : accepted) as GenerateResponse;
    if (!(await this.waits.hasEnded(actor!, response, generation_id, wait))) return accepted;
    const results = await this.results.get(actor!.workspaceId, generation_id);
    response.status(200);
    return { generation_id, ...results };
  }
}

/** Lets the call wait for the end of what it has started. Stands below `@Post`, whose transaction is over by then. */
export function MayWait(): MethodDecorator {
  return UseInterceptors(WaitInterceptor);
}

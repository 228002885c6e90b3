import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { ANSWER, type AnswerMetadata } from './answer.ts';
import { JsonText } from './json-text.ts';

/** Turns what a controller returns into the JSON of a successful answer, `status` first. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  readonly #reflector: Reflector;

  constructor(@Inject(Reflector) reflector: Reflector) {
    this.#reflector = reflector;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const answer = this.#reflector.get<AnswerMetadata | undefined>(ANSWER, context.getHandler());
    if (!answer || answer.contentType !== undefined) return next.handle();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((body: unknown) => {
        response.setHeader('Content-Type', 'application/json; charset=utf-8');
        return successText(body);
      }),
    );
  }
}

function successText(body: unknown): string {
  const fields = body instanceof JsonText ? body.text.trim() : JSON.stringify(body ?? {});
  return fields === '{}' ? '{"status":true}' : `{"status":true,${fields.slice(1)}`;
}

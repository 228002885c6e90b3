import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Observable } from 'rxjs';
import { DomainError } from '#kernel';
import type { Settings } from '#config';
import { settings } from '#wiring';
import type { ApiRequest } from '../api-request.ts';
import { TAKES_FORM } from '../takes-form.ts';
import { parseBody } from './parse-body.ts';
import { readBody } from './read-body.ts';

/** Reads the body of requests whose route takes a form; after the guards, so that strangers send none in vain. */
@Injectable()
export class FormInterceptor implements NestInterceptor {
  readonly #reflector: Reflector;
  readonly #maxBytes: number;

  constructor(@Inject(Reflector) reflector: Reflector, @Inject(settings) { http }: Settings) {
    this.#reflector = reflector;
    this.#maxBytes = http.maxBodyBytes;
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    if (this.#reflector.get<boolean | undefined>(TAKES_FORM, context.getHandler())) {
      const request = context.switchToHttp().getRequest<ApiRequest>();
      refuseEncoded(request);
      request.form = await parseBody(
        await readBody(request, this.#maxBytes),
        request.headers['content-type'],
      );
    }
    return next.handle();
  }
}

function refuseEncoded(request: ApiRequest): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupported_media_type', 'send the body without Content-Encoding');
  }
}

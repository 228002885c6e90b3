import { Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DomainError } from '#kernel';
import type { Settings } from '#config';
import { settings } from '#wiring';
import type { ApiRequest } from '../api-request.ts';
import type { RequestInterceptor, Exchange, RouteMethod } from '../request-interceptor.ts';
import { TAKES_BODY } from '../takes-body.ts';
import { parseBody } from './parse-body.ts';
import { readBody } from './read-body.ts';

/** Reads the body of requests whose route takes a form; after the guards, so that strangers send none in vain. */
@Injectable()
export class BodyInterceptor implements RequestInterceptor {
  readonly #reflector: Reflector;
  readonly #maxBytes: number;

  constructor(@Inject(Reflector) reflector: Reflector, @Inject(settings) { http }: Settings) {
    this.#reflector = reflector;
    this.#maxBytes = http.maxBodyBytes;
  }

  concerns(method: RouteMethod): boolean {
    return this.#reflector.get<boolean | undefined>(TAKES_BODY, method) ?? false;
  }

  async around({ request }: Exchange, next: () => Promise<unknown>): Promise<unknown> {
    refuseEncoded(request);
    const body = await readBody(request, this.#maxBytes);
    request.fields = await parseBody(body, request.headers['content-type']);
    return next();
  }
}

function refuseEncoded(request: ApiRequest): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupported_media_type', 'send the body without Content-Encoding');
  }
}

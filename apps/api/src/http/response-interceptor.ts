import { Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { respondsJson } from './responds.ts';
import type { RequestInterceptor, Exchange, RouteMethod } from './request-interceptor.ts';
import { JsonText } from './json-text.ts';

/** Turns what a controller returns into the JSON of a successful answer, `status` first. */
@Injectable()
export class ResponseInterceptor implements RequestInterceptor {
  readonly #reflector: Reflector;

  constructor(@Inject(Reflector) reflector: Reflector) {
    this.#reflector = reflector;
  }

  concerns(method: RouteMethod): boolean {
    return respondsJson(this.#reflector, method);
  }

  async around({ response }: Exchange, next: () => Promise<unknown>): Promise<string> {
    const body = await next();
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    return successText(body);
  }
}

function successText(body: unknown): string {
  const fields = body instanceof JsonText ? body.text.trim() : JSON.stringify(body ?? {});
  return fields === '{}' ? '{"status":true}' : `{"status":true,${fields.slice(1)}`;
}

import { Injectable } from '@nestjs/common';
import { serialize } from './fields/serialize.ts';
import { jsonResponseOf } from './responds.ts';
import type { Exchange, RequestInterceptor, RouteMethod } from './request.ts';

/** The JSON of a response, an object without `status`, as text from the database: sent unchanged. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** Turns what a controller returns into the JSON of a successful response, `status` first. */
@Injectable()
export class ResponseInterceptor implements RequestInterceptor {
  concerns(method: RouteMethod): boolean {
    return jsonResponseOf(method) !== undefined;
  }

  async around({ response, method }: Exchange, next: () => Promise<unknown>): Promise<string> {
    const body = await next();
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    if (body instanceof JsonText) return successText(body.text.trim());
    const { type, also } = jsonResponseOf(method)!;
    const declared = also?.[response.statusCode] ?? type;
    return successText(JSON.stringify(declared && body ? serialize(declared, body) : (body ?? {})));
  }
}

function successText(fields: string): string {
  return fields === '{}' ? '{"status":true}' : `{"status":true,${fields.slice(1)}`;
}

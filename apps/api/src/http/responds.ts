import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { ErrorCode } from '#kernel';
import type { RouteMethod } from './request-interceptor.ts';

export interface RespondsOptions {
  /** What the call does, a few words. */
  readonly summary: string;
  readonly description?: string;
  /** Codes of the errors that are this call's own; those that the edges give are added. */
  readonly errors?: readonly ErrorCode[];
  /** Other statuses of success, where the method sets them on the response, with their classes. */
  readonly also?: Readonly<Record<number, Type<object> | null>>;
  /** When the method writes the answer itself, to the raw response: its media type. */
  readonly contentType?: string;
}

export interface RespondsMetadata extends RespondsOptions {
  readonly status: number;
  readonly type: Type<object> | null;
}

export const RESPONDS = Symbol('answer');

/** The HTTP status of a method's answer and its description; `type` is null when it is `status` alone. */
export function Responds(
  status: number,
  type: Type<object> | null,
  options: RespondsOptions,
): MethodDecorator {
  return applyDecorators(
    HttpCode(status),
    SetMetadata(RESPONDS, { ...options, status, type } satisfies RespondsMetadata),
  );
}

/** Whether what a method returns becomes the JSON of an answer. */
export function respondsJson(reflector: Reflector, method: RouteMethod): boolean {
  const answer = reflector.get<RespondsMetadata | undefined>(RESPONDS, method);
  return answer !== undefined && answer.contentType === undefined;
}

import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import type { ErrorCode } from '#kernel';

export interface RespondsOptions {
  /** What the call does, in a few words. */
  readonly summary: string;
  readonly description?: string;
  /** The error codes of this call itself; those of guards and interceptors are added. */
  readonly errors?: readonly ErrorCode[];
  /** Other success statuses that the method sets on the response, with their classes. */
  readonly also?: Readonly<Record<number, Type<object> | null>>;
  /** The media type, if the method writes the response itself. */
  readonly contentType?: string;
}

export interface RespondsMetadata extends RespondsOptions {
  readonly status: number;
  readonly type: Type<object> | null;
}

export const RESPONDS = Symbol('responds');

/** The HTTP status and the documentation of a method's response; without a `type` it has `status` alone. */
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

/** What a method responds with, if its result becomes the JSON of the response. */
export function jsonResponseOf(method: object): RespondsMetadata | undefined {
  const responds = Reflect.getMetadata(RESPONDS, method) as RespondsMetadata | undefined;
  return responds?.contentType === undefined ? responds : undefined;
}

import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import type { ErrorCode } from '#kernel';
import { serializerOf } from './fields/dto.ts';
import type { OperationId } from './operation-id.ts';
import type { Endpoint } from './request.ts';

export interface RespondsOptions<Other extends Type<object> = Type<object>> {
  readonly id: OperationId;
  /** The effect of the call, in a few words. */
  readonly summary: string;
  readonly description?: string;
  /** The error codes of this call; codes of authentication, limits, fields and resources in its path are added. */
  readonly errors?: readonly ErrorCode[];
  /** Other success statuses that the method sets on the response, each with the classes of its responses. */
  readonly also?: Readonly<Record<number, readonly Other[]>>;
  /** The media type, if the method writes the response itself. */
  readonly contentType?: string;
  /** Another media type of the response, which callers ask for by `Accept`. */
  readonly otherType?: string;
  /** Webhooks that are documented beside the call. */
  readonly webhooks?: readonly SentWebhook[];
  /** True if the response sets a cookie. It is not stored for an `Idempotency-Key`: a replay would lack the cookie. */
  readonly setsCookie?: boolean;
  /**
   * To whom a stored response for an `Idempotency-Key` is repeated: the user in the workspace (default); the user in any
   * workspace, for a call that moves its caller to another one; or nobody, for a call whose failure has effects that must
   * last, such as a counted try: the key would roll them back with the call.
   */
  readonly keptBy?: 'workspace' | 'user' | 'nobody';
}

/** A webhook: the type of its event, the class of its body, and when it is sent. */
export interface SentWebhook {
  readonly type: string;
  readonly body: Type<object>;
  readonly summary: string;
}

export interface RespondsMetadata extends RespondsOptions {
  readonly status: number;
  readonly type: Type<object> | null;
}

export const RESPONDS = Symbol('responds');

/** Decorates a method that returns one of these, or a promise of it. */
type Returning<T> = <Method extends (...args: never[]) => T | Promise<T>>(
  prototype: object,
  name: string | symbol,
  method: TypedPropertyDescriptor<Method>,
) => void;

/**
 * The HTTP status and the documentation of a method's response, and the class of what it returns; without a `type` the
 * response has `status` alone.
 */
export function Responds(
  status: number,
  type: Type<object> | null,
  options: RespondsOptions & { readonly contentType: string },
): Returning<void>;
export function Responds(status: number, type: null, options: RespondsOptions): Returning<void>;
export function Responds<T extends object, Other extends Type<object> = never>(
  status: number,
  type: Type<T>,
  options: RespondsOptions<Other>,
): Returning<T | InstanceType<Other>>;
export function Responds(status: number, type: Type<object> | null, options: RespondsOptions): MethodDecorator {
  return applyDecorators(
    HttpCode(status),
    SetMetadata(RESPONDS, { ...options, status, type } satisfies RespondsMetadata),
  );
}

/** The response of a method whose result becomes its JSON. */
export function jsonResponseOf(method: object): RespondsMetadata | undefined {
  const responds = Reflect.getMetadata(RESPONDS, method) as RespondsMetadata | undefined;
  return responds && isJson(responds) ? responds : undefined;
}

function isJson({ contentType, status }: RespondsMetadata): boolean {
  return contentType === undefined && status !== 204 && status !== 303;
}

/** Owner of the stored response to an `Idempotency-Key`; `null` when the key has no effect. */
export function keptByOf(responds: RespondsMetadata | undefined): 'workspace' | 'user' | null {
  if (!responds || !isJson(responds) || responds.setsCookie || responds.keptBy === 'nobody') return null;
  return responds.keptBy ?? 'workspace';
}

/** How the result of a method becomes the JSON of a successful response, `status` first. */
export function toJsonOf(method: object): Endpoint['toJson'] {
  const responds = jsonResponseOf(method);
  if (!responds) return undefined;
  const { type, also } = responds;
  const declared = type && jsonOf(type);
  return (result, status) =>
    declared && result && !also?.[status] ? declared(result) : successText(JSON.stringify(result ?? {}));
}

/** Makes the JSON of successful responses: `status`, then the fields that their class declares. */
export function jsonOf(type: Type<object>): (body: object) => string {
  const serialize = serializerOf(type);
  return (body) => successText(JSON.stringify(serialize(body)));
}

function successText(fields: string): string {
  return fields === '{}' ? '{"status":true}' : `{"status":true,${fields.slice(1)}`;
}

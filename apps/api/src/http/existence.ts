import { Injectable, SetMetadata } from '@nestjs/common';
import { DomainError, type ErrorCode, notFound } from '#kernel';
import type { Actor } from '#identity';
import { pathId } from './parameters.ts';
import type { ApiRequest, Around, RequestInterceptor, RouteMethod } from './request.ts';

export interface ExistingTarget {
  /** What kind of thing, as registered with `ExistenceChecks`. */
  readonly kind: string;
  /** The path parameter that holds its id. */
  readonly param: string;
}

const EXISTING = Symbol('existing');

/**
 * Responds 404 instead of refusing the caller's role or fields if the thing that the path names does not exist in the
 * caller's workspace; costs nothing otherwise. May be repeated, with the outermost thing first.
 */
export function Existing(kind: string, param: string): MethodDecorator {
  return (prototype, method, descriptor: PropertyDescriptor) => {
    const inner = existingTargets(descriptor.value as object);
    SetMetadata(EXISTING, [{ kind, param }, ...inner])(prototype, method, descriptor);
  };
}

export function existingTargets(method: object): readonly ExistingTarget[] {
  return (Reflect.getMetadata(EXISTING, method) as readonly ExistingTarget[] | undefined) ?? [];
}

/** Whether the thing with this id exists in the actor's workspace. */
export type ExistenceCheck = (actor: Actor, id: number) => Promise<boolean>;

/** Errors that come after existence in the order of checks. */
const AFTER_EXISTENCE: readonly ErrorCode[] = ['forbidden', 'validation_failed', 'too_large', 'unsupported_media_type'];

/**
 * How each kind of thing is looked up for `@Existing`; modules register their kinds when they start. As an interceptor,
 * replaces an error by 404 where `@Existing` says that the caller must not learn more.
 */
@Injectable()
export class ExistenceChecks implements RequestInterceptor {
  private readonly checks = new Map<string, ExistenceCheck>();

  register(kind: string, check: ExistenceCheck): void {
    if (this.checks.has(kind)) throw new Error(`existence of ${kind} is registered twice`);
    this.checks.set(kind, check);
  }

  has(kind: string): boolean {
    return this.checks.has(kind);
  }

  /** @throws DomainError `not_found` */
  async require(targets: readonly ExistingTarget[], request: ApiRequest): Promise<void> {
    for (const { kind, param } of targets) {
      const id = pathId(request, param);
      // The route itself refuses a malformed id.
      if (id === null || !request.actor) return;
      if (!(await this.checks.get(kind)!(request.actor, id))) throw notFound(kind);
    }
  }

  around(method: RouteMethod): Around | null {
    const targets = existingTargets(method);
    if (targets.length === 0) return null;
    return async (request, _response, next) => {
      try {
        return await next();
      } catch (error) {
        const isAfter = error instanceof DomainError && AFTER_EXISTENCE.includes(error.code);
        if (isAfter) await this.require(targets, request);
        throw error;
      }
    };
  }
}

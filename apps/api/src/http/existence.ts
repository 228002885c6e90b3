import { Injectable, SetMetadata } from '@nestjs/common';
import { type DomainError, type ErrorCode, notFound } from '#kernel';
import type { Actor } from '#identity';
import { pathId } from './parameters.ts';
import type { ApiRequest, ExistingTarget } from './request.ts';

const EXISTING = Symbol('existing');

/**
 * Responds 404, instead of refusing the caller's role or fields, if the resource in the path does not exist in the
 * caller's workspace. It is checked only when the request is refused. May be repeated, with the outermost resource first.
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

/**
 * Reports whether the resource with this id exists in the actor's workspace. A check may throw `forbidden`, where the
 * rights to a resource depend on more than the role.
 */
export type ExistenceCheck = (actor: Actor, id: number, request: ApiRequest) => Promise<boolean>;

/** Errors that come after existence in the order of checks. */
const AFTER_EXISTENCE: readonly ErrorCode[] = ['forbidden', 'validation_failed', 'too_large', 'unsupported_media_type'];

/** How each kind of resource is looked up for `@Existing`; modules register their kinds when they start. */
@Injectable()
export class ExistenceChecks {
  readonly #checks = new Map<string, ExistenceCheck>();

  register(kind: string, check: ExistenceCheck): void {
    if (this.#checks.has(kind)) throw new Error(`existence of ${kind} is registered twice`);
    this.#checks.set(kind, check);
  }

  has(kind: string): boolean {
    return this.#checks.has(kind);
  }

  /**
   * Checks the resources in the path before this error of the request is reported.
   *
   * @throws DomainError `not_found`, `forbidden`
   */
  async requireBefore({ code }: DomainError, request: ApiRequest): Promise<void> {
    if (!AFTER_EXISTENCE.includes(code)) return;
    await request.checkAsGuest?.();
    for (const { kind, param } of request.endpoint?.existing ?? []) {
      const id = pathId(request, param);
      // The route itself refuses a malformed id.
      if (id === null || !request.actor) return;
      if (!(await this.#checks.get(kind)!(request.actor, id, request))) throw notFound(kind);
    }
  }
}

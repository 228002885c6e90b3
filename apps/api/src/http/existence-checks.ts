import { Injectable } from '@nestjs/common';
import { notFound } from '#kernel';
import type { Actor } from '#identity';
import type { ApiRequest } from './api-request.ts';
import type { ExistingTarget } from './existing.ts';
import { pathId } from './path-id.ts';

/** Whether the thing with this id exists in the actor's workspace. */
export type ExistenceCheck = (actor: Actor, id: number) => Promise<boolean>;

/** How each kind of thing is looked up for `@Existing`; modules register their kinds when they start. */
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

  /** @throws DomainError `not_found` */
  async require(targets: readonly ExistingTarget[], request: ApiRequest): Promise<void> {
    for (const { kind, param } of targets) {
      const id = pathId(request, param);
      // A path id that is none is refused as such by the route itself.
      if (id === null || !request.actor) return;
      if (!(await this.#checks.get(kind)!(request.actor, id))) throw notFound(kind);
    }
  }
}

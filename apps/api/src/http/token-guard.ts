import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { DomainError } from '#kernel';
import { Authenticate, type Role } from '#identity';
import type { ApiRequest } from './api-request.ts';
import { bearerToken } from './bearer-token.ts';
import { existingTargets } from './existing.ts';
import { ExistenceChecks } from './existence-checks.ts';
import { MinRole } from './min-role.ts';
import { Public } from './public.ts';
import { RequestLimits } from './rate-limit/request-limits.ts';
import { Unlimited } from './rate-limit/unlimited.ts';

const RANK: Readonly<Record<Role, number>> = { member: 1, admin: 2, owner: 3 };

/** Every route goes through here: who calls, whether not too often, and whether their role is high enough. */
@Injectable()
export class TokenGuard implements CanActivate {
  readonly #reflector: Reflector;
  readonly #authenticate: Pick<Authenticate, 'run'>;
  readonly #limits: RequestLimits;
  readonly #existence: ExistenceChecks;

  constructor(
    @Inject(Reflector) reflector: Reflector,
    @Inject(Authenticate) authenticate: Authenticate,
    @Inject(RequestLimits) limits: RequestLimits,
    @Inject(ExistenceChecks) existence: ExistenceChecks,
  ) {
    this.#reflector = reflector;
    this.#authenticate = authenticate;
    this.#limits = limits;
    this.#existence = existence;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    if (this.#has(Public, context)) {
      if (!this.#has(Unlimited, context)) await this.#limits.countAddress(request, response);
      return true;
    }
    await this.#identify(request, response);
    await this.#requireRole(context, request);
    return true;
  }

  #has(decorator: typeof Public | typeof Unlimited, context: ExecutionContext): boolean {
    return this.#reflector.getAllAndOverride(decorator, [context.getHandler(), context.getClass()]) ?? false;
  }

  async #identify(request: ApiRequest, response: Response): Promise<void> {
    const token = bearerToken(request);
    if (token !== null) {
      this.#limits.refuseKnown(token, response);
      const actor = await this.#authenticate.run(token);
      if (actor) {
        request.actor = actor;
        return this.#limits.countToken(token, response);
      }
    }
    // Counted by address: whoever guesses tokens uses another one each time.
    await this.#limits.countAddress(request, response);
    throw new DomainError('unauthenticated', 'send a valid API token as `Authorization: Bearer <token>`');
  }

  async #requireRole(context: ExecutionContext, request: ApiRequest): Promise<void> {
    const least = this.#reflector.getAllAndOverride(MinRole, [context.getHandler(), context.getClass()]);
    if (!least || RANK[request.actor!.role] >= RANK[least]) return;
    await this.#existence.require(existingTargets(context.getHandler()), request);
    throw new DomainError('forbidden', `only ${rolesFrom(least)} may do this`);
  }
}

function rolesFrom(least: Role): string {
  return (['owner', 'admin', 'member'] as const).filter((role) => RANK[role] >= RANK[least]).join(' and ');
}

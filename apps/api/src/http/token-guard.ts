import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { DomainError } from '#kernel';
import { assertMay, assertPlan, Authenticate, type Plans } from '#identity';
import { plans } from '#wiring';
import type { ApiRequest } from './api-request.ts';
import { bearerToken } from './bearer-token.ts';
import { existingTargets } from './existing.ts';
import { ExistenceChecks } from './existence-checks.ts';
import { May } from './may.ts';
import { Public } from './public.ts';
import { RequestLimits } from './rate-limit/request-limits.ts';
import { Unlimited } from './rate-limit/unlimited.ts';

/** Guards every route: authentication, rate limit, plan and role. */
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(Authenticate) private readonly authenticate: Pick<Authenticate, 'run'>,
    @Inject(RequestLimits) private readonly limits: RequestLimits,
    @Inject(ExistenceChecks) private readonly existence: ExistenceChecks,
    @Inject(plans) private readonly plans: Plans,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    if (this.#has(Public, context)) {
      if (!this.#has(Unlimited, context)) await this.limits.countAddress(request, response);
      return true;
    }
    await this.#authenticate(request, response);
    await this.#authorize(context, request);
    return true;
  }

  #has(decorator: typeof Public | typeof Unlimited, context: ExecutionContext): boolean {
    return this.reflector.getAllAndOverride(decorator, [context.getHandler(), context.getClass()]) ?? false;
  }

  async #authenticate(request: ApiRequest, response: Response): Promise<void> {
    const token = bearerToken(request);
    if (token !== null) {
      this.limits.refuseKnown(token, response);
      const actor = await this.authenticate.run(token);
      if (actor) {
        request.actor = actor;
        return this.limits.countToken(token, response);
      }
    }
    // Counted by address: whoever guesses tokens uses another one each time.
    await this.limits.countAddress(request, response);
    throw new DomainError('unauthenticated', 'send a valid API token as `Authorization: Bearer <token>`');
  }

  /** An object that the path names and the caller's workspace does not have is reported before plan and role. */
  async #authorize(context: ExecutionContext, request: ApiRequest): Promise<void> {
    const action = this.reflector.get(May, context.getHandler());
    if (!action) return;
    try {
      assertPlan(action, request.actor!.plan, this.plans);
      assertMay(action, request.actor!);
    } catch (refusal) {
      await this.existence.require(existingTargets(context.getHandler()), request);
      throw refusal;
    }
  }
}

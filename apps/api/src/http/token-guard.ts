import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { DomainError } from '#kernel';
import { type Action, assertMay, assertPlan, Tokens, type Plans } from '#identity';
import { plans } from '#wiring';
import { ExistenceChecks, existingTargets } from './existence.ts';
import { RequestLimits, Unlimited } from './rate-limit/request-limits.ts';
import { type ApiRequest, bearerToken } from './request.ts';

/** A route that needs no token. */
export const Public = Reflector.createDecorator<void, true>({ transform: () => true });

/** The action of the route in the table of permissions. It is checked before the request's fields. */
export const May = Reflector.createDecorator<Action>();

/** Guards every route: authentication, rate limit, plan and role. */
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(Tokens) private readonly tokens: Pick<Tokens, 'authenticate'>,
    @Inject(RequestLimits) private readonly limits: RequestLimits,
    @Inject(ExistenceChecks) private readonly existence: ExistenceChecks,
    @Inject(plans) private readonly plans: Plans,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    if (this.has(Public, context)) {
      if (!this.has(Unlimited, context)) await this.limits.countAddress(request, response);
      return true;
    }
    await this.identify(request, response);
    await this.authorize(context, request);
    return true;
  }

  private has(decorator: typeof Public | typeof Unlimited, context: ExecutionContext): boolean {
    return this.reflector.getAllAndOverride(decorator, [context.getHandler(), context.getClass()]) ?? false;
  }

  private async identify(request: ApiRequest, response: Response): Promise<void> {
    const token = bearerToken(request);
    if (token !== null) {
      this.limits.refuseKnown(token, response);
      const actor = await this.tokens.authenticate(token);
      if (actor) {
        request.actor = actor;
        return this.limits.countToken(token, response);
      }
    }
    // Counted by address: a caller who guesses tokens uses another one each time.
    await this.limits.countAddress(request, response);
    throw new DomainError('unauthenticated', 'send a valid API token as `Authorization: Bearer <token>`');
  }

  /** An object that the path names and the caller's workspace does not have is reported before plan and role. */
  private async authorize(context: ExecutionContext, request: ApiRequest): Promise<void> {
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

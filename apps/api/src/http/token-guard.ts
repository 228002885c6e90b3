import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CanActivate, type ExecutionContext, Inject, Injectable, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { DomainError } from '#kernel';
import { type Action, assertMay, assertPlan, Tokens, type Plans } from '#identity';
import { plans } from '#wiring';
import { existingTargets } from './existence.ts';
import { RequestLimits, Unlimited } from './rate-limit/request-limits.ts';
import {
  type ApiRequest,
  bearerToken,
  type Endpoint,
  type ExistingTarget,
  hasBearer,
  oncePerRoute,
  type RouteMethod,
} from './request.ts';
import { toJsonOf } from './responds.ts';
import { SessionCookie } from './session-cookie.ts';

/** A route that needs no token. */
export const Public = Reflector.createDecorator<void, true>({ transform: () => true });

/** The action of the route in the table of permissions. It is checked before the request's fields. */
export const May = Reflector.createDecorator<Action>();

/** Who may call a route, and how often. */
export interface Access {
  readonly isPublic: boolean;
  readonly isLimited: boolean;
  /** The action of `@May`. */
  readonly action: Action | undefined;
  readonly existing: readonly ExistingTarget[];
}

export function accessOf(reflector: Reflector, method: RouteMethod, controller: Type<object>): Access {
  return {
    isPublic: reflector.getAllAndOverride(Public, [method, controller]) ?? false,
    isLimited: !reflector.getAllAndOverride(Unlimited, [method, controller]),
    action: reflector.get(May, method),
    existing: existingTargets(method),
  };
}

interface CheckedEndpoint extends Access, Endpoint {
  /** Whether the route is no GET. */
  readonly mayChange: boolean;
}

/**
 * Guards every route: authentication, rate limit, plan and role. They are decided when the headers are there, so that
 * nobody without a valid token makes the service wait for a body or buffer it, and decided again once the body is
 * complete, if it was not yet at the first look-up: rights that were lost while it arrived no longer count.
 */
@Injectable()
export class TokenGuard implements CanActivate {
  private readonly endpointOf = oncePerRoute((context) => {
    const method = context.getHandler() as RouteMethod;
    const mayChange = Reflect.getMetadata(METHOD_METADATA, method) !== RequestMethod.GET;
    return { ...accessOf(this.reflector, method, context.getClass<object>()), mayChange, toJson: toJsonOf(method) };
  });

  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(Tokens) private readonly tokens: Pick<Tokens, 'authenticate'>,
    @Inject(RequestLimits) private readonly limits: RequestLimits,
    @Inject(SessionCookie) private readonly cookie: SessionCookie,
    @Inject(plans) private readonly plans: Plans,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<ApiRequest>(), http.getResponse<Response>()];
    const endpoint = this.endpointOf(context);
    request.endpoint = endpoint;
    if (endpoint.isPublic) {
      if (endpoint.isLimited) await this.limits.countAddress(request, response);
      return true;
    }
    // A request without a body is complete at the next microtask, a body sent with the headers by the next turn.
    await Promise.resolve();
    if (!request.complete) await nextTurn();
    const isComplete = request.complete;
    await this.identify(request, response);
    this.authorize(endpoint, request);
    if (!isComplete) request.decideAgain = () => this.decideAgain(endpoint, request);
    return true;
  }

  private async identify(request: ApiRequest, response: Response): Promise<void> {
    const token = await this.tokenOf(request, response);
    if (token !== null) {
      const key = this.limits.keyOf(token);
      this.limits.refuseKnown(key, response);
      const actor = await this.tokens.authenticate(token);
      if (actor) {
        request.actor = actor;
        request.token = token;
        return this.limits.countToken(key, response);
      }
    }
    // Counted by address: a caller who guesses tokens uses another one each time.
    await this.limits.countAddress(request, response);
    throw unauthenticated();
  }

  /** @throws DomainError `forbidden` for a change by cookie that another site may have sent */
  private async tokenOf(request: ApiRequest, response: Response): Promise<string | null> {
    if (hasBearer(request)) return bearerToken(request);
    const token = this.cookie.tokenOf(request);
    if (token === null) return null;
    try {
      this.cookie.requireOwnPage(request);
    } catch (refusal) {
      await this.limits.countAddress(request, response);
      throw refusal;
    }
    return token;
  }

  private async decideAgain(endpoint: CheckedEndpoint, request: ApiRequest): Promise<void> {
    const actor = await this.tokens.authenticate(request.token!);
    if (!actor) throw unauthenticated();
    const { workspaceId } = request.actor!;
    request.actor = actor;
    this.authorize(endpoint, request);
    if (actor.workspaceId !== workspaceId) throw new DomainError('forbidden', 'you act in another workspace by now');
  }

  /** The plan comes before the role. The error filter looks for what the path names before it reports the role. */
  private authorize({ action, mayChange }: CheckedEndpoint, request: ApiRequest): void {
    const actor = request.actor!;
    if (action) {
      assertPlan(action, actor.plan, this.plans);
      assertMay(action, actor);
    }
    if (mayChange) request.caller = { actor, action };
  }
}

function unauthenticated(): DomainError {
  return new DomainError('unauthenticated', 'send a valid API token as `Authorization: Bearer <token>`');
}

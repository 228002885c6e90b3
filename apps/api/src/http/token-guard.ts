import { type CanActivate, type ExecutionContext, Inject, Injectable, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { WorkspaceUrls } from '#files';
import { DomainError } from '#kernel';
import {
  type Action,
  type Actor,
  changesWorkspace,
  Gate,
  needsVerifiedEmail,
  type Requirements,
  scopesOf,
  Tokens,
} from '#identity';
import { existingTargets } from './existence.ts';
import { isOwnCall } from './own-calls.ts';
import { RequestLimits, Unlimited } from './rate-limit/request-limits.ts';
import {
  type ApiRequest,
  bearerToken,
  type ExistingTarget,
  hasBearer,
  oncePerRoute,
  pathOf,
  type RouteMethod,
} from './request.ts';
import { RESPONDS, type RespondsMetadata, toJsonOf } from './responds.ts';
import { SessionCookie } from './session-cookie.ts';

/** A route that needs no token. */
export const Public = Reflector.createDecorator<void, true>({ transform: () => true });

/**
 * A route that speaks another protocol: it authenticates its caller, and the operations that it calls with their token check
 * everything else. The rate limit counts it and them.
 */
export const Facade = Reflector.createDecorator<void, true>({ transform: () => true });

/** The action of the route in the table of permissions. It is checked before the request's fields. */
export const May = Reflector.createDecorator<Action>();

/** Authentication, permission and rate limit of a route. */
export interface Access {
  /** `null` for a public route. */
  readonly requirements: Requirements | null;
  readonly isLimited: boolean;
  readonly existing: readonly ExistingTarget[];
}

export function accessOf(reflector: Reflector, method: RouteMethod, controller: Type<object>): Access {
  const isPublic = reflector.getAllAndOverride(Public, [method, controller]) ?? false;
  const isFacade = reflector.getAllAndOverride(Facade, [method, controller]) ?? false;
  const required = isFacade ? { scopes: [], verified: false } : undefined;
  return {
    requirements: isPublic ? null : (required ?? requirementsOf(reflector, method, controller)),
    isLimited: !reflector.getAllAndOverride(Unlimited, [method, controller]),
    existing: existingTargets(method),
  };
}

/** @throws Error for a route that is not public and that no scope is declared for, so that the API does not start */
function requirementsOf(reflector: Reflector, method: RouteMethod, controller: Type<object>): Requirements {
  const responds = reflector.get<RespondsMetadata | undefined>(RESPONDS, method);
  if (!responds) throw new Error(`${controller.name}.${method.name} needs @Public(), or @Responds() with an id`);
  const isRead = reflector.get<RequestMethod>(METHOD_METADATA, method) === RequestMethod.GET;
  return {
    action: reflector.get(May, method),
    scopes: scopesOf(responds.id, { isRead }),
    verified: needsVerifiedEmail(responds.id),
    changesWorkspace: changesWorkspace(responds.id, { isRead }),
  };
}

/**
 * Guards every route: authentication and rate limit, then the gate. It runs when the headers have arrived, so that the
 * service neither waits for nor buffers a body without a valid token. Units of work ask the gate again.
 */
@Injectable()
export class TokenGuard implements CanActivate {
  readonly #endpointOf = oncePerRoute((context) => {
    const method = context.getHandler() as RouteMethod;
    return { ...accessOf(this.reflector, method, context.getClass<object>()), toJson: toJsonOf(method) };
  });

  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(Tokens) private readonly tokens: Pick<Tokens, 'authenticate'>,
    @Inject(RequestLimits) private readonly limits: RequestLimits,
    @Inject(SessionCookie) private readonly cookie: SessionCookie,
    @Inject(Gate) private readonly gate: Gate,
    @Inject(WorkspaceUrls) private readonly urls: WorkspaceUrls,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<ApiRequest>(), http.getResponse<Response>()];
    const endpoint = this.#endpointOf(context);
    request.endpoint = endpoint;
    const { requirements } = endpoint;
    if (!requirements) {
      if (endpoint.isLimited) await this.limits.countAddress(request, response);
      return true;
    }
    const actor = await this.#identify(request, response);
    // The error filter checks the resources in the path before it reports the role.
    this.gate.authorize(actor, requirements);
    request.caller = { actor, requirements };
    return true;
  }

  async #identify(request: ApiRequest, response: Response): Promise<Actor> {
    const token = await this.#tokenOf(request, response);
    if (token !== null) {
      const key = this.limits.keyOf(token);
      this.limits.refuseKnown(key, response);
      const actor = await this.tokens.authenticate(token);
      if (actor && (!actor.isGranted || isForApplications(request))) {
        request.actor = actor;
        request.token = token;
        request.urls = () => this.urls.as(actor);
        await this.limits.countToken(key, response);
        return actor;
      }
    }
    // Counted by address: a caller who guesses tokens sends a new token each time.
    await this.limits.countAddress(request, response);
    throw unauthenticated();
  }

  /** @throws DomainError `forbidden` for a change by cookie that another site may have sent */
  async #tokenOf(request: ApiRequest, response: Response): Promise<string | null> {
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
}

/** Tokens of applications are issued for MCP, and for what it calls within this process. */
function isForApplications(request: ApiRequest): boolean {
  return isOwnCall(request) || pathOf(request) === MCP_PATH;
}

const MCP_PATH = '/mcp';

function unauthenticated(): DomainError {
  return new DomainError('unauthenticated', 'send a valid API token as `Authorization: Bearer <token>`');
}

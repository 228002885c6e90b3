import { Inject, Injectable, type Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { Action } from '#identity';
import { RESPONDS, type RespondsMetadata } from './responds.ts';
import { type ExistingTarget, existingTargets } from './existing.ts';
import { BODY_CLASS } from './request-body.ts';
import { May } from './may.ts';
import { PAGE_QUERY, PageFields } from './page-query.ts';
import { PATH_IDS } from './path-id.ts';
import { Public } from './public.ts';
import { QUERY_CLASS } from './request-query.ts';
import { Unlimited } from './rate-limit/unlimited.ts';
import { TAKES_BODY } from './takes-body.ts';

/** A controller method, with what its decorators say. */
export interface Route {
  /** `<Controller>.<method>` */
  readonly id: string;
  readonly answer: RespondsMetadata | undefined;
  readonly isPublic: boolean;
  readonly isLimited: boolean;
  /** What `@May` names. */
  readonly action: Action | undefined;
  readonly existing: readonly ExistingTarget[];
  readonly takesBody: boolean;
  readonly form: Type<object> | undefined;
  readonly queries: readonly Type<object>[];
  readonly pathIds: readonly string[];
}

/** A route that has an `@Responds`. */
export type DocumentedRoute = Route & { readonly answer: RespondsMetadata };

/** Every route of the application. */
@Injectable()
export class Routes {
  readonly #discovery: DiscoveryService;
  readonly #scanner: MetadataScanner;
  readonly #reflector: Reflector;

  constructor(
    @Inject(DiscoveryService) discovery: DiscoveryService,
    @Inject(MetadataScanner) scanner: MetadataScanner,
    @Inject(Reflector) reflector: Reflector,
  ) {
    this.#discovery = discovery;
    this.#scanner = scanner;
    this.#reflector = reflector;
  }

  all(): Route[] {
    return this.#discovery.getControllers().flatMap(({ metatype }) => {
      const controller = metatype as Type<object>;
      const prototype = controller.prototype as Record<string, () => unknown>;
      return this.#scanner
        .getAllMethodNames(prototype)
        .filter((name) => Reflect.hasMetadata(PATH_METADATA, prototype[name]!))
        .map((name) => this.#describe(controller, prototype[name]!, `${controller.name}.${name}`));
    });
  }

  #describe(controller: Type<object>, method: () => unknown, id: string): Route {
    const of = <T>(key: symbol): T | undefined => this.#reflector.get<T | undefined>(key, method);
    const query = of<Type<object>>(QUERY_CLASS);
    return {
      id,
      answer: of<RespondsMetadata>(RESPONDS),
      isPublic: this.#reflector.getAllAndOverride(Public, [method, controller]) ?? false,
      isLimited: !this.#reflector.getAllAndOverride(Unlimited, [method, controller]),
      action: this.#reflector.get(May, method),
      existing: existingTargets(method),
      takesBody: of<boolean>(TAKES_BODY) ?? false,
      form: of<Type<object>>(BODY_CLASS),
      queries: [...(query ? [query] : []), ...(of(PAGE_QUERY) ? [PageFields] : [])],
      pathIds: of<string[]>(PATH_IDS) ?? [],
    };
  }
}

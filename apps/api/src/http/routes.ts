import { Inject, Injectable, type Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { Role } from '#identity';
import { ANSWER, type AnswerMetadata } from './answer.ts';
import { type ExistingTarget, existingTargets } from './existing.ts';
import { FORM_CLASS } from './form.ts';
import { MinRole } from './min-role.ts';
import { PAGE_QUERY, PageFields } from './page-query.ts';
import { PATH_IDS } from './path-id.ts';
import { Public } from './public.ts';
import { QUERY_CLASS } from './query-form.ts';
import { Unlimited } from './rate-limit/unlimited.ts';
import { TAKES_FORM } from './takes-form.ts';

/** A controller method, with what its decorators say. */
export interface Route {
  /** `<Controller>.<method>` */
  readonly id: string;
  readonly answer: AnswerMetadata | undefined;
  readonly isPublic: boolean;
  readonly isLimited: boolean;
  readonly minRole: Role | undefined;
  readonly existing: readonly ExistingTarget[];
  readonly takesForm: boolean;
  readonly form: Type<object> | undefined;
  readonly queries: readonly Type<object>[];
  readonly pathIds: readonly string[];
}

/** A route that has an `@Answer`. */
export type AnsweringRoute = Route & { readonly answer: AnswerMetadata };

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
      answer: of<AnswerMetadata>(ANSWER),
      isPublic: this.#reflector.getAllAndOverride(Public, [method, controller]) ?? false,
      isLimited: !this.#reflector.getAllAndOverride(Unlimited, [method, controller]),
      minRole: this.#reflector.getAllAndOverride(MinRole, [method, controller]),
      existing: existingTargets(method),
      takesForm: of<boolean>(TAKES_FORM) ?? false,
      form: of<Type<object>>(FORM_CLASS),
      queries: [...(query ? [query] : []), ...(of(PAGE_QUERY) ? [PageFields] : [])],
      pathIds: of<string[]>(PATH_IDS) ?? [],
    };
  }
}

import { Inject, Injectable, type Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { PageFields } from './page-query.ts';
import {
  BODY_CLASS,
  CSV_BODY,
  FILE_BODY,
  PAGE_QUERY,
  PATH_IDS,
  QUERY_CLASS,
  RAW_BODY,
  TAKES_BODY,
} from './parameters.ts';
import { RESPONDS, type RespondsMetadata } from './responds.ts';
import { type Access, accessOf } from './token-guard.ts';

/** A controller method with the metadata of its decorators. */
export interface Route extends Access {
  /** `<Controller>.<method>` */
  readonly handler: string;
  readonly responds: RespondsMetadata | undefined;
  readonly takesBody: boolean;
  readonly takesRawBody: boolean;
  readonly takesCsv: boolean;
  readonly takesFile: boolean;
  readonly body: Type<object> | undefined;
  readonly queries: readonly Type<object>[];
  readonly pathIds: readonly string[];
}

/** A route with `@Responds`. */
export type DocumentedRoute = Route & { readonly responds: RespondsMetadata };

/** All routes of the application. */
@Injectable()
export class Routes {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
    @Inject(Reflector) private readonly reflector: Reflector,
  ) {}

  all(): Route[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      const controller = metatype as Type<object>;
      const prototype = controller.prototype as Record<string, () => unknown>;
      return this.scanner
        .getAllMethodNames(prototype)
        .filter((name) => Reflect.hasMetadata(PATH_METADATA, prototype[name]!))
        .map((name) => this.#describe(controller, prototype[name]!, `${controller.name}.${name}`));
    });
  }

  #describe(controller: Type<object>, method: () => unknown, handler: string): Route {
    const of = <T>(key: symbol): T | undefined => this.reflector.get<T | undefined>(key, method);
    const query = of<Type<object>>(QUERY_CLASS);
    return {
      handler,
      responds: of<RespondsMetadata>(RESPONDS),
      ...accessOf(this.reflector, method, controller),
      takesBody: of(TAKES_BODY) !== undefined,
      takesRawBody: of(RAW_BODY) !== undefined,
      takesCsv: of(CSV_BODY) !== undefined,
      takesFile: of(FILE_BODY) !== undefined,
      body: of<Type<object>>(BODY_CLASS),
      queries: [...(query ? [query] : []), ...(of(PAGE_QUERY) ? [PageFields] : [])],
      pathIds: of<string[]>(PATH_IDS) ?? [],
    };
  }
}

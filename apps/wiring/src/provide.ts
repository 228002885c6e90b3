import { Module, type FactoryProvider, type InjectionToken, type Provider, type Type } from '@nestjs/common';
import { Database } from '#adapters/postgres';

declare const provided: unique symbol;

/**
 * Identifies a provider without a class, such as a port that programs use, with its type. A port that only this folder
 * uses is injected by the class of its adapter.
 */
export type Token<T> = symbol & { readonly [provided]?: T };

export function token<T>(name: string): Token<T> {
  return Symbol(name);
}

type Dependency<T> = Token<T> | (abstract new (...args: never[]) => T);

/** Provides `type`; the dependencies are its constructor arguments, in order. */
export function provide<Args extends unknown[], T>(
  type: new (...args: Args) => T,
  ...dependencies: { [I in keyof Args]: Dependency<Args[I]> }
): FactoryProvider<T> {
  return { provide: type, useFactory: (...args: Args) => new type(...args), inject: dependencies as InjectionToken[] };
}

/** Provides adapters whose only dependency is the database. */
export function provideStores(...stores: (new (database: Database) => object)[]): Provider[] {
  return stores.map((store) => provide(store, Database));
}

/** Like `provide`, under the token of a port that `type` implements. */
export function provideAs<Port, Args extends unknown[]>(
  port: Token<Port>,
  type: new (...args: Args) => Port,
  ...dependencies: { [I in keyof Args]: Dependency<Args[I]> }
): FactoryProvider<Port> {
  return { ...provide(type, ...dependencies), provide: port as InjectionToken };
}

/** Like `provide`, for a constructor with one object of dependencies. */
export function provideWith<Dependencies extends object, T>(
  type: new (dependencies: Dependencies) => T,
  dependencies: { [K in keyof Dependencies]: Dependency<Dependencies[K]> },
): FactoryProvider<T> {
  return provideFrom<Dependencies, T>(type, dependencies, (given) => new type(given));
}

/** Provides the result of a function of the dependencies, in order. */
export function provideMade<Args extends unknown[], T>(
  made: Dependency<T>,
  dependencies: readonly [...{ [I in keyof Args]: Dependency<Args[I]> }],
  make: (...args: Args) => T | Promise<T>,
): FactoryProvider<T> {
  return { provide: made as InjectionToken, useFactory: make, inject: dependencies as unknown as InjectionToken[] };
}

/** Like `provideMade`, with the dependencies by name. */
export function provideFrom<Dependencies extends object, T>(
  made: Dependency<T>,
  dependencies: { [K in keyof Dependencies]: Dependency<Dependencies[K]> },
  make: (dependencies: Dependencies) => T | Promise<T>,
): FactoryProvider<T> {
  const names = Object.keys(dependencies);
  return {
    provide: made as InjectionToken,
    useFactory: (...args: unknown[]) =>
      make(Object.fromEntries(names.map((name, index) => [name, args[index]])) as Dependencies),
    inject: Object.values(dependencies) as InjectionToken[],
  };
}

/** A module that exports all its imports and providers. */
export function SharedModule(imports: Type[], ...providers: Provider[]): ClassDecorator {
  return Module({ imports, providers, exports: [...imports, ...providers] });
}

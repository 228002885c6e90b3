import { SetMetadata } from '@nestjs/common';

export interface ExistingTarget {
  /** What kind of thing, as registered with `ExistenceChecks`. */
  readonly kind: string;
  /** The path parameter that holds its id. */
  readonly param: string;
}

const EXISTING = Symbol('existing');

/**
 * When the caller's role or the request's fields would be refused, the answer is still 404 if the thing that the path
 * names is not in the caller's workspace. Costs nothing otherwise. May stand several times, the outermost thing first.
 */
export function Existing(kind: string, param: string): MethodDecorator {
  return (prototype, method, descriptor: PropertyDescriptor) => {
    const inner = existingTargets(descriptor.value as object);
    SetMetadata(EXISTING, [{ kind, param }, ...inner])(prototype, method, descriptor);
  };
}

export function existingTargets(method: object): readonly ExistingTarget[] {
  return (Reflect.getMetadata(EXISTING, method) as readonly ExistingTarget[] | undefined) ?? [];
}

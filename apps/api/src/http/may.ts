import { Reflector } from '@nestjs/core';
import type { Action } from '#identity';

/** The action of the route in the table of permissions. It is checked before the request's fields. */
export const May = Reflector.createDecorator<Action>();

import { Reflector } from '@nestjs/core';

/** A route that needs no token. */
export const Public = Reflector.createDecorator<void, true>({ transform: () => true });

import { Reflector } from '@nestjs/core';
import type { Role } from '#identity';

/** The least role that may call a route: member < admin < owner. */
export const MinRole = Reflector.createDecorator<Role>();

import type { Clock, Jobs, UnitOfWork } from '#kernel';
import { token } from './provide.ts';

/** The ports that every room shares. */
export const clock = token<Clock>('Clock');
export const unitOfWork = token<UnitOfWork>('UnitOfWork');
export const jobs = token<Jobs>('Jobs');

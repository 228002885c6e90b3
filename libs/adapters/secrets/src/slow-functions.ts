import { availableParallelism } from 'node:os';
import { Semaphore } from '#kernel';

/**
 * Turns of the functions that take a core for long on purpose, so that nobody guesses what they are given: one at a time on
 * two cores, as requests need the other. They run on Node's thread pool, which files and names of hosts need too.
 */
export const slowFunctions = new Semaphore(availableParallelism() > 2 ? 2 : 1);

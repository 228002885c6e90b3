export { whenSignedOut, x12 } from './client.ts';
export { fieldProblem } from './field-problem.ts';
export { createQueryClient } from './query.ts';
export * from '#client';
export * from '#client/query';
export { changeGeneration, isOpen, pollWhileOpen, refreshGenerations, useLiveGenerations } from './live-generations.ts';

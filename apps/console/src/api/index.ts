export { whenRefused, x12 } from './client.ts';
export { fieldProblem, fieldProblems } from './field-problem.ts';
export { createQueryClient } from './query.ts';
export * from '#client';
export * from '#client/query';
export { useLiveBoard } from './live-board.ts';
export { useLiveEvents } from './live-events.ts';
export {
  isOpen,
  type ListedGenerations,
  pollWhileOpen,
  useLiveGenerations,
  withGeneration,
} from './live-generations.ts';
export { refresh, type Subject } from './refresh.ts';
export { useChange } from './use-change.ts';
export { useAllPages, usePages } from './use-pages.ts';

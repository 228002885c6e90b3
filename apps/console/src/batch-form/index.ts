export { BatchButton } from './BatchButton.tsx';
export type { BatchSource } from './use-batch-draft.ts';

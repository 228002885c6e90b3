import { later } from '../ui/index.ts';

export const ShareDialog = later('shared', async () => (await import('./ShareDialog.tsx')).ShareDialog);
export { shareAction } from './action.ts';
export type { Shared } from './share-form.ts';
export { ShareList } from './ShareList.tsx';
export { useShares } from './use-shares.ts';
export { words as sharingWords } from './words.ts';

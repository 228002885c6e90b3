import { later } from '../ui/index.ts';

export const ShareDialog = later('shared', async () => (await import('./ShareDialog.tsx')).ShareDialog);
export { MOST_SHARED, type Shared } from './share-form.ts';
export { ShareList } from './ShareList.tsx';
export { useShares } from './use-shares.ts';
export { words as sharingWords } from './words.ts';

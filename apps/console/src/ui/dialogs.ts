import { later } from './later.tsx';

export const ConfirmDialog = later('opened', async () => (await import('./ConfirmDialog.tsx')).ConfirmDialog);
export const MediaPicker = later('opened', async () => (await import('./media-picker/MediaPicker.tsx')).MediaPicker);
export const PutOnBoardDialog = later(
  'files',
  async () => (await import('./generation/PutOnBoardDialog.tsx')).PutOnBoardDialog,
);

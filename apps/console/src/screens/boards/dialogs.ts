import { later } from '../../ui/index.ts';

export const BoardFilters = later('isSet', async () => (await import('./BoardFilters.tsx')).BoardFilters);
export const BoardViewer = later('openId', async () => (await import('./BoardViewer.tsx')).BoardViewer);
export const MoveDialog = later('opened', async () => (await import('./MoveDialog.tsx')).MoveDialog);
export const NoteEditor = later('note', async () => (await import('./NoteEditor.tsx')).NoteEditor);
export const NameDialog = later('opened', async () => (await import('./NameDialog.tsx')).NameDialog);

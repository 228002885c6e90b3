import { later } from '../../ui/index.ts';

export const CheckFile = later('opened', async () => (await import('./CheckFile.tsx')).CheckFile);

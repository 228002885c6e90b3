import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { x12 } from '../api/index.ts';
import { totalsOf, type UploadEntry, type UploadTarget } from './entry.ts';
import { Uploads } from './uploads.ts';

/** The uploads of this page: they go on while people go from screen to screen. */
export const uploads = new Uploads(
  (file, options) => x12.upload(file, options),
  sessionStorage,
  (files) => x12.allocateUploads(files),
);

export function uploadFiles(files: readonly File[], target: UploadTarget = {}): void {
  for (const file of files) uploads.add(file, target);
}

export function useUploads(): readonly UploadEntry[] {
  return useSyncExternalStore(uploads.subscribe, uploads.list);
}

export function useUploadTotals() {
  const entries = useUploads();
  return useMemo(() => totalsOf(entries), [entries]);
}

/** What the page owes the uploads: their user, the end of an outage, a question before it is closed, fresh lists. */
export function UploadsOf({ userId }: { readonly userId: number }): null {
  const { active, done } = useUploadTotals();
  const queries = useQueryClient();
  useEffect(() => uploads.belongTo(userId), [userId]);
  useEffect(() => {
    addEventListener('online', uploads.resumeOnline);
    return () => removeEventListener('online', uploads.resumeOnline);
  }, []);
  useEffect(() => {
    if (active === 0) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [active]);
  useEffect(() => {
    if (done > 0) void queries.invalidateQueries({ queryKey: [{ _id: 'personaFilesGetFiles' }] });
  }, [done, queries]);
  return null;
}

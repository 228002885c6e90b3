import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { refresh, x12 } from '../api/index.ts';
import { useStore } from '../state/index.ts';
import { totalsOf, type UploadEntry, type UploadTarget } from './entry.ts';
import { Uploads } from './uploads.ts';

/** The uploads of this page. They continue when another screen is opened. */
export const uploads = new Uploads(
  (file, options) => x12.upload(file, options),
  sessionStorage,
  (files) => x12.allocateUploads(files),
);

export function uploadFiles(files: readonly File[], target: UploadTarget = {}): void {
  for (const file of files) uploads.add(file, target);
}

export function useUploads(): readonly UploadEntry[] {
  return useStore(uploads.entries);
}

export function useUploadTotals() {
  const entries = useUploads();
  return useMemo(() => totalsOf(entries), [entries]);
}

/**
 * Sets the owner of the uploads, resumes them when the network is back, asks before the page is closed during an upload, and
 * refreshes the lists of files after each upload.
 */
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
    if (done > 0) void refresh(queries, 'files');
  }, [done, queries]);
  return null;
}

import { useState } from 'react';
import type { PickedMedia } from '../ui/index.ts';
import { UploadCanceled, uploads, useUploads } from '../uploads/index.ts';

/** Uploads input files as temporary files, through the uploads of the page. */
export function useInputUpload(purpose: string, onStored: (media: readonly PickedMedia[]) => void) {
  const [ids, setIds] = useState<readonly number[]>([]);
  const entries = useUploads().filter(({ id, status }) => ids.includes(id) && status !== 'done');

  const send = async (file: File) => {
    const { id, finished } = uploads.add(file, { temporary: true, purpose });
    setIds((others) => [...others, id]);
    const { url, content_type, expires_at } = await finished;
    return { url, content_type, expires_at, name: file.name };
  };
  const start = (files: readonly File[]) => {
    const all = Promise.all(files.map(send));
    all.then(onStored, (error: unknown) => {
      if (!(error instanceof UploadCanceled)) throw error;
    });
  };
  const cancel = () => entries.forEach(({ id }) => uploads.remove(id));
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  const sent = entries.reduce((sum, each) => sum + each.sent, 0);
  const error = entries.find((entry) => entry.status === 'failed')?.error ?? null;
  return { share: entries.length === 0 ? null : sent / Math.max(1, total), error, start, cancel };
}

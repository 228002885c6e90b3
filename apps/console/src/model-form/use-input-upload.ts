import { useState } from 'react';
import type { PickedMedia } from '../ui/index.ts';
import { UploadCanceled, uploads, useUploads } from '../uploads/index.ts';

/** Pixels; drafts are kept with it. */
const HEIGHT = 200;

/** Shown at once: those of the service take seconds. */
async function localThumbnails(file: File): Promise<PickedMedia['thumbnails']> {
  try {
    const bitmap = await createImageBitmap(file, { resizeHeight: HEIGHT, resizeQuality: 'medium' });
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: bitmap.width, height: bitmap.height });
    canvas.getContext('2d')!.drawImage(bitmap, 0, 0);
    return [{ url: canvas.toDataURL('image/webp', 0.7), width: bitmap.width, height: bitmap.height }];
  } catch {
    // A browser decodes no drawing and no TIFF here.
    return [];
  }
}

/** Uploads input files as temporary files, through the uploads of the page. */
export function useInputUpload(purpose: string, onStored: (media: readonly PickedMedia[]) => void) {
  const [ids, setIds] = useState<readonly number[]>([]);
  const entries = useUploads().filter(({ id, status }) => ids.includes(id) && status !== 'done');

  const send = async (file: File) => {
    const { id, finished } = uploads.add(file, { temporary: true, purpose });
    setIds((others) => [...others, id]);
    const [{ url, content_type, expires_at }, thumbnails] = await Promise.all([finished, localThumbnails(file)]);
    return { url, content_type, expires_at, name: file.name, thumbnails };
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

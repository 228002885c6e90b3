import { useEffect, useRef, useState } from 'react';
import { x12 } from '../../api/index.ts';
import type { PickedMedia } from '../../ui/index.ts';

/** Sends files of a form as temporary files of the service. */
export function useInputUpload(onStored: (media: readonly PickedMedia[]) => void) {
  const [share, setShare] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);

  const send = async (file: File): Promise<PickedMedia> => {
    const onProgress = ({ sent, total }: { sent: number; total: number }) => setShare(total === 0 ? 0 : sent / total);
    const stored = await x12.upload(file, { temporary: true, signal: stop.current.signal, onProgress });
    return { url: stored.url, content_type: stored.content_type, name: file.name };
  };
  const start = async (files: readonly File[]) => {
    stop.current.abort();
    stop.current = new AbortController();
    const { signal } = stop.current;
    setError(null);
    setShare(0);
    try {
      const stored: PickedMedia[] = [];
      for (const file of files) stored.push(await send(file));
      onStored(stored);
    } catch (thrown) {
      if (!signal.aborted) setError(thrown);
    } finally {
      if (!signal.aborted) setShare(null);
    }
  };
  const cancel = () => {
    stop.current.abort();
    setShare(null);
  };
  return { share, error, start: (files: readonly File[]) => void start(files), cancel };
}

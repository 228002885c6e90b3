import { useCallback } from 'react';
import { useLatest } from '../../state/index.ts';

/** Returns a function that opens the browser's file dialog for pictures. */
export function useFileChoice(onFiles: (files: readonly File[]) => void): () => void {
  const take = useLatest(onFiles);
  return useCallback(() => {
    const input = document.createElement('input');
    Object.assign(input, { type: 'file', multiple: true, accept: 'image/*' });
    input.onchange = () => take.current([...(input.files ?? [])]);
    input.click();
  }, [take]);
}

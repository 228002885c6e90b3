import { useCallback, useEffect, useRef } from 'react';

/** Opens the browser's choice of pictures, wherever from: a menu, a button, a key. */
export function useFileChoice(onFiles: (files: readonly File[]) => void): () => void {
  const take = useRef(onFiles);
  useEffect(() => {
    take.current = onFiles;
  });
  return useCallback(() => {
    const input = document.createElement('input');
    Object.assign(input, { type: 'file', multiple: true, accept: 'image/*' });
    input.onchange = () => take.current([...(input.files ?? [])]);
    input.click();
  }, []);
}

import { useCallback, useState } from 'react';

/** The subject of a dialog. It stays while the dialog closes, so that the dialog keeps its text until then. */
export function useSubject<T>() {
  const [subject, setSubject] = useState<T | null>(null);
  const [isOpen, setOpen] = useState(false);
  const open = useCallback((next: T) => {
    setSubject(next);
    setOpen(true);
  }, []);
  const close = useCallback(() => setOpen(false), []);
  return { subject, isOpen, open, close };
}

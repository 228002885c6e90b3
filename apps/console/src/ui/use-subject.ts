import { useCallback, useState } from 'react';

/** The thing that a dialog is about. It stays while the dialog closes, so that its words do not vanish before it. */
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

import { useCallback, useEffect, useState } from 'preact/hooks';

const idIn = (hash: string) => (/^#\d+$/.test(hash) ? Number(hash.slice(1)) : null);

/** The item that is open, by the fragment of the address: the back button closes it, and a reload keeps it open. */
export function useOpenItem() {
  const [id, setId] = useState(() => idIn(location.hash));
  useEffect(() => {
    const follow = () => setId(idIn(location.hash));
    addEventListener('popstate', follow);
    addEventListener('hashchange', follow);
    return () => {
      removeEventListener('popstate', follow);
      removeEventListener('hashchange', follow);
    };
  }, []);
  const open = useCallback((next: number | null) => {
    const isOpen = idIn(location.hash) !== null;
    if (next === null && (history.state as { isOurs?: boolean } | null)?.isOurs) return history.back();
    const address = next === null ? location.pathname : `#${next}`;
    if (isOpen) history.replaceState(history.state, '', address);
    else history.pushState({ isOurs: true }, '', address);
    setId(next);
  }, []);
  return [id, open] as const;
}

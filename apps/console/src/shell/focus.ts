import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** Delay after which a closed dialog has returned the focus. */
const AFTER_DIALOGS_MS = 40;

/** Whether the last input came from the keyboard. */
let isByKeys = false;
addEventListener('keydown', () => (isByKeys = true), true);
addEventListener('pointerdown', () => (isByKeys = false), true);

/** Moves the focus to the content after a navigation by keyboard, because the focused element may be gone. */
export function useFocusOnContent(id: string): void {
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const shown = useRef(pathname);
  useEffect(() => {
    const before = shown.current;
    shown.current = pathname;
    if (before === undefined || before === pathname || !isByKeys) return;
    const timer = setTimeout(() => {
      const content = document.getElementById(id);
      if (content && !content.contains(document.activeElement)) content.focus({ preventScroll: true });
    }, AFTER_DIALOGS_MS);
    return () => clearTimeout(timer);
  }, [pathname, id]);
}

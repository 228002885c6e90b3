import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** Dialogs give the focus back a moment after they are closed: what leads elsewhere is later. */
const AFTER_DIALOGS_MS = 40;

/** Whether the last input came from the keyboard. */
let isByKeys = false;
addEventListener('keydown', () => (isByKeys = true), true);
addEventListener('pointerdown', () => (isByKeys = false), true);

/** Moves the focus to the content of the screen that keys led to: what had it before is gone, or stands elsewhere. */
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

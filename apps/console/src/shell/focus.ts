import { useRouterState } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

/** The id of the content. */
export const CONTENT = 'content';
/** Delay after which a closed dialog has returned the focus. */
const AFTER_DIALOGS_MS = 40;

/** True if the last input came from the keyboard. */
let isByKeys = false;
addEventListener('keydown', () => (isByKeys = true), true);
addEventListener('pointerdown', () => (isByKeys = false), true);

/** The element of a screen that people begin with. */
const FIRST = 'data-first-focus';

/** Focuses what people begin with on the screen, else its content. */
export function focusFirst(content: HTMLElement): void {
  (content.querySelector<HTMLElement>(`[${FIRST}]`) ?? content).focus({ preventScroll: true });
}

/** The props of the element that people begin with. It takes the focus that a navigation by keys has left on the content. */
export function useFirstFocus(ref: RefObject<HTMLElement | null>) {
  useEffect(() => {
    if (isByKeys && document.activeElement?.id === CONTENT) ref.current?.focus({ preventScroll: true });
  }, [ref]);
  return { [FIRST]: true };
}

/** Moves the focus to the content after a navigation by keyboard, because the focused element may be gone. */
export function useFocusOnContent(): void {
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const shown = useRef(pathname);
  useEffect(() => {
    const before = shown.current;
    shown.current = pathname;
    if (before === undefined || before === pathname || !isByKeys) return;
    const timer = setTimeout(() => {
      const content = document.getElementById(CONTENT);
      if (content && !content.contains(document.activeElement)) focusFirst(content);
    }, AFTER_DIALOGS_MS);
    return () => clearTimeout(timer);
  }, [pathname]);
}

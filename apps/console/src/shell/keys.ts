import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { createStore } from '../state/index.ts';
import { CONTENT, focusFirst } from './focus.ts';
import { GENERATE, PLACES } from './navigation.ts';
import { palette } from './palette.ts';
import { typingAhead } from './typing-ahead.ts';

/** The name of the modifier key on this platform. */
export const MOD = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl';

/** True while the dialog that lists the keys is open. */
export const keysDialog = createStore(false);

/** Time after `g` in which a letter opens a screen. */
const SEQUENCE_MS = 1500;

/** Handles `?`, Ctrl-K, and `g` followed by the letter of a screen, even before the palette and the dialog are loaded. */
export function useKeys(): void {
  const navigate = useNavigate();
  useEffect(() => {
    let goUntil = 0;
    const listen = (event: KeyboardEvent) => {
      if (event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      if (typingAhead.take(event)) return event.preventDefault();
      if (event.ctrlKey || event.metaKey) {
        if (event.key.toLowerCase() !== 'k') return;
        event.preventDefault();
        return palette.open();
      }
      const place = event.timeStamp < goUntil ? PLACES.find(({ key }) => key === event.key) : undefined;
      goUntil = !place && event.key === 'g' ? event.timeStamp + SEQUENCE_MS : 0;
      if (event.key === '?') keysDialog.set(true);
      if (!place) return;
      if (place === GENERATE) typingAhead.begin(event);
      const content = document.getElementById(CONTENT);
      const isHere = location.pathname === `/console${place.to}`;
      if (isHere && content) {
        event.preventDefault();
        focusFirst(content);
      } else void navigate({ to: place.to });
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [navigate]);
}

/** Reports whether keys are for a field or a dialog. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('[role=dialog]') !== null
  );
}

/** Time after `g g` in which letters are kept for the prompt, until it is there. */
const AHEAD_MS = 15_000;

let kept = '';
let sends = false;
let until = 0;

addEventListener('pointerdown', () => (until = 0), true);
addEventListener('focusin', ({ target, timeStamp }) => {
  if (timeStamp > until || !(target instanceof HTMLTextAreaElement)) return;
  until = 0;
  target.select();
  if (kept === '') return;
  target.setRangeText(kept, 0, target.value.length, 'end');
  target.dispatchEvent(new InputEvent('input', { bubbles: true }));
  // The form has the text in its next render.
  if (sends) setTimeout(() => target.form?.requestSubmit());
});

/**
 * Text that is typed on the way to the prompt: it stands there once that has the focus, in place of the last prompt. It is
 * sent if Ctrl-Enter was pressed, too.
 */
export const typingAhead = {
  begin({ timeStamp }: Event): void {
    kept = '';
    sends = false;
    until = timeStamp + AHEAD_MS;
  },
  /** @returns whether the key is kept */
  take({ key, ctrlKey, metaKey, timeStamp }: KeyboardEvent): boolean {
    if (timeStamp >= until || sends) return false;
    if (ctrlKey || metaKey) return (sends = key === 'Enter' && kept !== '');
    if (key.length > 1) return false;
    kept += key;
    return true;
  },
};

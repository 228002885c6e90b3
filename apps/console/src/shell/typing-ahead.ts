/** Time after `g g` in which letters are kept for the prompt, until it is there. */
const AHEAD_MS = 5_000;

let kept = '';
let until = 0;

addEventListener('focusin', ({ target, timeStamp }) => {
  if (timeStamp > until || !(target instanceof HTMLTextAreaElement)) return;
  until = 0;
  target.select();
  if (kept === '') return;
  target.setRangeText(kept, 0, target.value.length, 'end');
  target.dispatchEvent(new InputEvent('input', { bubbles: true }));
});

/** Text that is typed on the way to the prompt: it stands there once that has the focus, in place of the last prompt. */
export const typingAhead = {
  begin({ timeStamp }: Event): void {
    kept = '';
    until = timeStamp + AHEAD_MS;
  },
  /** @returns whether the key is kept */
  take({ key, timeStamp }: KeyboardEvent): boolean {
    const isKept = timeStamp < until && key.length === 1;
    if (isKept) kept += key;
    return isKept;
  },
};

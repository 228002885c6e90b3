import { useCallback, useEffect, useMemo, useState } from 'react';
import { useMe } from '../../shell/index.ts';
import { useStore } from '../../state/index.ts';
import { type Action, changed, drawingOf, type Step } from './drawing.ts';
import { KeptEdits, type EditState } from './kept-edits.ts';

let keptEdits: KeptEdits | undefined;

function editsOf(owner: string): KeptEdits {
  if (keptEdits?.owner !== owner) keptEdits = new KeptEdits(sessionStorage, owner);
  return keptEdits;
}

/** The state of editing a picture, kept across screens and reloads of this tab. */
export function useEditState(url: string) {
  const { user, workspace } = useMe();
  const edits = editsOf(`${user.id}/${workspace.id}`);
  const [edit, setEdit] = useState(() => edits.of(url));
  const isKept = useStore(edits.isKept);
  useEffect(() => {
    if (isUntouched(edit)) edits.forget(url);
    else edits.keep(url, edit);
  }, [edits, url, edit]);
  const change = useCallback((part: Partial<EditState>) => setEdit((before) => ({ ...before, ...part })), []);
  const act = useCallback(
    (action: Action) => setEdit((before) => ({ ...before, history: changed(before.history, action) })),
    [],
  );
  const add = useCallback((step: Step) => act({ type: 'add', step }), [act]);
  const drawing = useMemo(() => drawingOf(edit.history), [edit.history]);
  return { edit, drawing, isKept, change, act, add };
}

function isUntouched({ history, prompt, generation, objects }: EditState): boolean {
  return history.steps.length === 0 && prompt === '' && generation === null && objects === null;
}

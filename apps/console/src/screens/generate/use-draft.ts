import { useEffect, useState } from 'react';
import { useMe } from '../../shell/index.ts';
import { type Draft, EMPTY_DRAFT, isEmpty } from '../../model-form/draft.ts';
import { KeptDrafts } from './kept-drafts.ts';

let keptDrafts: KeptDrafts | undefined;

function draftsOf(owner: string): KeptDrafts {
  if (keptDrafts?.owner !== owner) keptDrafts = new KeptDrafts(sessionStorage, owner);
  return keptDrafts;
}

/** The draft of the form, kept across screens and reloads. */
export function useDraft() {
  const { user, workspace } = useMe();
  const drafts = draftsOf(`${user.id}/${workspace.id}`);
  const [draft, setDraft] = useState(() => drafts.last() ?? EMPTY_DRAFT);
  useEffect(() => drafts.keep(draft), [drafts, draft]);

  /** Another model or persona takes over the draft; if the draft is empty, its own former draft is shown. */
  const change = (part: Partial<Draft>) => {
    const pair = { model: draft.model, pid: draft.pid, ...part };
    if (pair.model === draft.model && pair.pid === draft.pid) return setDraft((before) => ({ ...before, ...part }));
    const own = isEmpty(draft) ? drafts.of(pair) : undefined;
    drafts.drop(draft);
    setDraft((before) => own ?? { ...before, ...part });
  };
  return { draft, drafts, setDraft, change };
}

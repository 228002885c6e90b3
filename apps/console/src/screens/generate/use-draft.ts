import { useEffect, useState } from 'react';
import { useMe } from '../../shell/index.ts';
import { type Draft, EMPTY_DRAFT, isEmpty } from './draft.ts';
import { KeptDrafts } from './kept-drafts.ts';

let keptDrafts: KeptDrafts | undefined;

function draftsOf(owner: string): KeptDrafts {
  if (keptDrafts?.owner !== owner) keptDrafts = new KeptDrafts(sessionStorage, owner);
  return keptDrafts;
}

/** What people are about to generate; it outlives their way to other screens, and a reload. */
export function useDraft() {
  const { user, workspace } = useMe();
  const drafts = draftsOf(`${user.id}/${workspace.id}`);
  const [draft, setDraft] = useState(() => drafts.last() ?? EMPTY_DRAFT);
  useEffect(() => drafts.keep(draft), [drafts, draft]);

  /** Another model or persona takes over what is chosen; if nothing is, it shows what was chosen with it before. */
  const change = (part: Partial<Draft>) => {
    const pair = { model: draft.model, pid: draft.pid, ...part };
    if (pair.model === draft.model && pair.pid === draft.pid) return setDraft((before) => ({ ...before, ...part }));
    const own = isEmpty(draft) ? drafts.of(pair) : undefined;
    drafts.drop(draft);
    setDraft((before) => own ?? { ...before, ...part });
  };
  return { draft, drafts, setDraft, change };
}

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useMe } from '../../shell/index.ts';
import { type Draft, emptied, EMPTY_DRAFT, isEmpty } from './draft.ts';
import { KeptDrafts } from './kept-drafts.ts';

/** With the cache, as it is gone when somebody else signs in. */
const KEY = ['generate', 'draft'];

/** What people are about to generate; it outlives their way to other screens, and a reload. */
export function useDraft() {
  const queries = useQueryClient();
  const { user, workspace } = useMe();
  const drafts = useMemo(() => new KeptDrafts(sessionStorage, `${user.id}/${workspace.id}`), [user.id, workspace.id]);
  const [draft, setDraft] = useState(() => queries.getQueryData<Draft>(KEY) ?? drafts.last() ?? EMPTY_DRAFT);
  const cache = useCallback(
    (next: Draft) => {
      queries.setQueryDefaults(KEY, { gcTime: Infinity });
      queries.setQueryData(KEY, next);
    },
    [queries],
  );
  useEffect(() => {
    cache(draft);
    drafts.keep(draft);
  }, [cache, drafts, draft]);

  /** Another model or persona takes over what is chosen; if nothing is, it shows what was chosen with it before. */
  const change = (part: Partial<Draft>) => {
    const pair = { model: draft.model, pid: draft.pid, ...part };
    if (pair.model === draft.model && pair.pid === draft.pid) return setDraft((before) => ({ ...before, ...part }));
    const own = isEmpty(draft) ? drafts.of(pair) : undefined;
    drafts.drop(draft);
    setDraft((before) => own ?? { ...before, ...part });
  };
  /** What is in the form stays there until people leave it. */
  const accepted = (sent: Draft) => {
    drafts.accepted(sent);
    if (JSON.stringify(queries.getQueryData(KEY)) === JSON.stringify(sent)) cache(emptied(sent));
  };
  return { draft, drafts, setDraft, change, accepted };
}

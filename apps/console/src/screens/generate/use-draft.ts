import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Draft, EMPTY_DRAFT } from './draft.ts';

/** With the cache, as it is gone when somebody else signs in; never in storage. */
const KEY = ['generate', 'draft'];

/** What people are about to generate; it outlives their way to other screens. */
export function useDraft() {
  const queries = useQueryClient();
  const [draft, setDraft] = useState(() => queries.getQueryData<Draft>(KEY) ?? EMPTY_DRAFT);
  useEffect(() => keep(queries, draft), [queries, draft]);
  return [draft, setDraft] as const;
}

function keep(queries: QueryClient, draft: Draft): void {
  queries.setQueryDefaults(KEY, { gcTime: Infinity });
  queries.setQueryData(KEY, draft);
}

import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type DryRunResponse, type ModelDto, x12, X12Error } from '../../api/index.ts';
import { type Body, type Draft, inputsOfPersona, requestOf } from './draft.ts';

const WAIT_MS = 350;
/** After a failure that may pass: a price is known again soon after the service is back. */
const RETRY_MS = 2000;

/** What the service would do with a draft. */
interface Priced {
  readonly asked: Body;
  readonly inputs: DryRunResponse['inputs'];
  /** Credits. */
  readonly cost: number;
}

/**
 * Asks the service what it would do with the draft when the typing pauses: its inputs, and what it costs. Until it
 * answers, the last answer stays.
 */
export function useDryRun(draft: Draft, model: ModelDto) {
  const [text] = useDebouncedValue(JSON.stringify(requestOf(draft, model)), WAIT_MS);
  const asked = useMemo(() => JSON.parse(text) as Body, [text]);
  const query = useQuery({
    queryKey: ['generate', 'dry-run', text],
    queryFn: async ({ signal }): Promise<Priced> => {
      const { inputs, cost } = (await x12.generations.create(
        { ...asked, dry_run: true },
        { signal },
      )) as DryRunResponse;
      return { asked, inputs, cost };
    },
    placeholderData: keepPreviousData,
    retry: (_, error) => error instanceof X12Error && error.isTransient,
    retryDelay: RETRY_MS,
  });
  const error = query.error ?? query.failureReason;
  return {
    ...query,
    ...usePersona(query.data, draft, model),
    asked,
    error,
    cost: error ? undefined : query.data?.cost,
  };
}

/**
 * What the service makes of the persona's slots. It outlives the answer: to an incomplete draft there is none, and people
 * complete it by what they see.
 */
function usePersona(priced: Priced | undefined, { pid }: Draft, { id }: ModelDto) {
  const [last, setLast] = useState(priced);
  if (priced && priced !== last) setLast(priced);
  const isOfDraft = last && (last.asked.pid ?? null) === pid && last.asked.model === id;
  if (!isOfDraft) return { inputs: undefined, inputsOfPersona: undefined };
  return { inputs: last.inputs, inputsOfPersona: inputsOfPersona(last.inputs, last.asked) };
}

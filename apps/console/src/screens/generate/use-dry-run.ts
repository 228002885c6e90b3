import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type DryRunResponse, type ModelDto, personasGetOptions, x12, X12Error } from '../../api/index.ts';
import { type Body, type Draft, inputsOfPersona, requestOf } from '../../model-form/draft.ts';
import { inputsOfSlots } from '../../model-form/index.ts';

const WAIT_MS = 350;
/** Delay after a transient failure, so that the cost is known soon after the service is back. */
const RETRY_MS = 2000;

/** The result of a dry run. */
interface Priced {
  readonly asked: Body;
  readonly inputs: DryRunResponse['inputs'];
  /** Credits. */
  readonly cost: number;
}

/**
 * Runs the draft dry when the typing pauses, for its inputs and its cost. The last result stays until the next response
 * arrives.
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
 * The inputs from the persona's slots: of the last successful dry run, else as its rule says, because an incomplete draft has
 * no dry run, and people need to see the slots to complete it.
 */
function usePersona(priced: Priced | undefined, draft: Draft, model: ModelDto) {
  const { pid } = draft;
  const persona = useQuery({ ...personasGetOptions({ path: { persona_id: pid ?? 0 } }), enabled: pid !== null });
  const slots = persona.data?.persona.slots;
  const [last, setLast] = useState(priced);
  if (priced && priced !== last) setLast(priced);
  const isOfDraft = last && (last.asked.pid ?? null) === pid && last.asked.model === model.id;
  if (!isOfDraft) {
    return { inputs: undefined, inputsOfPersona: slots && inputsOfSlots(slots, draft, model) };
  }
  return { inputs: last.inputs, inputsOfPersona: inputsOfPersona(last.inputs, last.asked) };
}

import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type DryRunResponse, generatePostGenerate, type ModelDto, X12Error } from '../../api/index.ts';
import { type Draft, requestOf } from './draft.ts';

const WAIT_MS = 350;

/** What the service would do with the draft, asked when the typing pauses: its inputs, and what it costs. Until then the last answer stays. */
export function useDryRun(draft: Draft, model: ModelDto | undefined) {
  const [request] = useDebouncedValue(JSON.stringify(model ? requestOf(draft, model) : null), WAIT_MS);
  return useQuery({
    queryKey: ['generate', 'dry-run', request],
    queryFn: async ({ signal }) => {
      const body = { ...(JSON.parse(request) as { pid?: number }), dry_run: true };
      const { inputs, cost } = (await generatePostGenerate({ body, signal })) as DryRunResponse;
      return { inputs, cost, pid: body.pid ?? null };
    },
    enabled: request !== 'null',
    placeholderData: keepPreviousData,
  });
}

export interface Problems {
  /** Messages by field of the request. */
  readonly fields: Readonly<Record<string, string>>;
  /** What belongs to no field. */
  readonly other: unknown;
}

/** @param known the names of the fields that can show a message */
export function problemsOf(error: unknown, known: readonly string[]): Problems {
  if (!(error instanceof X12Error)) return { fields: {}, other: error };
  // It names the slot in its message: that is about the persona.
  if (error.code === 'slot_empty') return { fields: { pid: error.message }, other: null };
  const fields = Object.entries(error.fields).filter(([name]) => known.includes(name));
  if (fields.length === 0) return { fields: {}, other: error };
  return { fields: Object.fromEntries(fields.map(([name, messages]) => [name, messages.join(', ')])), other: null };
}

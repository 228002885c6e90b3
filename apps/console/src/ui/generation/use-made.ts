import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { generationsGetOptions, type GenerationResponse, type OutputDto } from '../../api/index.ts';
import { isSameFile } from '../../file-url.ts';

/** An output, and the generation that made it. */
export interface Made {
  readonly generation: GenerationResponse;
  readonly output: OutputDto;
}

/**
 * The output of a generation that has the URL; null until it is read, and when it is gone.
 *
 * @param generationId null for a file that no generation made
 */
export function useMade(generationId: number | null, url: string | null | undefined): Made | null {
  const { data: generation } = useQuery({ ...read(generationId ?? 0), enabled: generationId !== null });
  return useMemo(() => madeOf(generation, url), [generation, url]);
}

/**
 * Returns what waits for the same. Actions take it: one that is quicker than the network would go on from a picture
 * without its past.
 */
export function useReadMade() {
  const queries = useQueryClient();
  return async (generationId: number | null, url: string | null): Promise<Made | null> =>
    generationId === null ? null : madeOf(await queries.fetchQuery(read(generationId)).catch(() => undefined), url);
}

const read = (id: number) => ({ ...generationsGetOptions({ path: { id } }), retry: false, staleTime: 60_000 });

function madeOf(generation: GenerationResponse | undefined, url: string | null | undefined): Made | null {
  const output = url ? generation?.outputs.find((each) => isSameFile(each.url, url)) : undefined;
  return generation && output ? { generation, output } : null;
}

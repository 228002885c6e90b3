import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { generationsGetOptions, type GenerationResponse, type OutputDto } from '../../api/index.ts';

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
  const { data: generation } = useQuery({
    ...generationsGetOptions({ path: { id: generationId ?? 0 } }),
    enabled: generationId !== null,
    retry: false,
    staleTime: 60_000,
  });
  const output = generation?.outputs.find((each) => each.url === url);
  return useMemo(() => (generation && output ? { generation, output } : null), [generation, output]);
}

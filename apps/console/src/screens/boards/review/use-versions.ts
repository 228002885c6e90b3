import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { generationsLineageGetOptions } from '../../../api/index.ts';
import { type Made, MOST_COMPARED } from '../../../ui/index.ts';
import { versionsOf } from './versions.ts';

/** The versions of an output; null where it is the only one. */
export function useVersions(made: Made | null) {
  const { data } = useQuery({
    ...generationsLineageGetOptions({ path: { id: made?.generation.id ?? 0 } }),
    enabled: made !== null,
    retry: false,
    staleTime: 60_000,
  });
  const versions = useMemo(() => (made && data ? versionsOf(made, data, MOST_COMPARED) : null), [made, data]);
  return versions && versions.shown.length > 1 ? versions : null;
}

import { Select, Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { personasFilesListInfiniteOptions, personasListOptions, type PersonaSummaryDto } from '../../api/index.ts';
import { EmptyState } from '../EmptyState.tsx';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { Loading } from '../Loading.tsx';
import { usePersonaNames } from '../persona-names.ts';
import { words } from '../words.ts';
import type { PickedMedia, PickTabProps } from './picked-media.ts';
import { PickGrid } from './PickGrid.tsx';

const NONE: readonly PersonaSummaryDto[] = [];

/** Files of one persona: uploads and outputs. */
export function PersonaTab(props: PickTabProps) {
  const personas = useQuery(personasListOptions());
  const nameOf = usePersonaNames(personas.data?.personas ?? NONE);
  const [chosen, choose] = useState<string | null>(null);
  if (personas.error) return <ErrorNotice error={personas.error} onRetry={() => void personas.refetch()} />;
  if (!personas.data) return <Loading rows={3} height={110} />;
  const all = personas.data.personas;
  const first = all.find(({ id }) => id === props.personaId) ?? all[0];
  if (!first) return <EmptyState title={words.picker.noPersonas} hint={words.picker.emptyHint} />;
  const id = chosen ?? String(first.id);
  return (
    <Stack gap="sm">
      <Select
        searchable
        label={words.picker.persona}
        allowDeselect={false}
        data={all.map((persona) => ({ value: String(persona.id), label: nameOf(persona) }))}
        value={id}
        onChange={choose}
      />
      <FilesOfPersona key={id} id={Number(id)} {...props} />
    </Stack>
  );
}

function FilesOfPersona({ id, ...props }: PickTabProps & { readonly id: number }) {
  const list = useInfiniteQuery({
    ...personasFilesListInfiniteOptions({ path: { persona_id: id }, query: { limit: 100 } }),
    initialPageParam: { path: { persona_id: id } },
    getNextPageParam: (page) => page.next_cursor,
  });
  const media = useMemo(
    () =>
      list.data?.pages.flatMap(({ files }) =>
        files.map(({ filename: name, url, content_type, expires_at }): PickedMedia => {
          return { url, content_type, name, expires_at };
        }),
      ) ?? null,
    [list.data],
  );
  return <PickGrid {...props} media={media} list={list} />;
}

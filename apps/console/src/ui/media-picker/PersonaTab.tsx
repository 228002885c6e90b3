import { Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  personasFilesListInfiniteOptions,
  personasListOptions,
  type PersonaSummaryDto,
  usePages,
} from '../../api/index.ts';
import { EmptyState } from '../EmptyState.tsx';
import { usePersonaNames } from '../persona-names.ts';
import { QueryState } from '../QueryState.tsx';
import { words } from '../words.ts';
import type { PickedMedia, PickTabProps } from './picked-media.ts';
import { PickGrid } from './PickGrid.tsx';

const NONE: readonly PersonaSummaryDto[] = [];

/** Files of one persona: uploads and outputs. */
export function PersonaTab(props: PickTabProps) {
  const personas = useQuery(personasListOptions());
  const nameOf = usePersonaNames(personas.data?.personas ?? NONE);
  const [chosen, choose] = useState<string | null>(null);
  if (!personas.isSuccess) return <QueryState query={personas} rows={3} height={110} />;
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
  const options = personasFilesListInfiniteOptions({ path: { persona_id: id }, query: { limit: 100 } });
  const { list, items } = usePages(options, ({ files }) =>
    files.map(({ filename: name, url, content_type, expires_at }): PickedMedia => {
      return { url, content_type, name, expires_at };
    }),
  );
  return <PickGrid {...props} media={items} list={list} />;
}

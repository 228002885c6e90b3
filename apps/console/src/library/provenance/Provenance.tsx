import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { libraryProvenanceGetOptions, type ProvenanceResponse } from '../../api/index.ts';
import type { Names } from '../../shell/index.ts';
import { FactList, QueryState, StrongLink, When } from '../../ui/index.ts';
import { Marks } from './Marks.tsx';
import { typeText } from './marks.ts';
import classes from './Provenance.module.css';
import { words } from './words.ts';

interface ProvenanceProps {
  readonly fileId: number;
  readonly names: Names;
}

/** Where a file comes from, and the marks in it. Read when it is unfolded, because the service reads the bytes. */
export function Provenance({ fileId, names }: ProvenanceProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={classes.section} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={classes.summary}>
        <Text component="h2" fw={600}>
          {words.title}
        </Text>
        <ChevronRight size={18} className={classes.arrow} aria-hidden />
      </summary>
      {isOpen && <Read fileId={fileId} names={names} />}
    </details>
  );
}

function Read({ fileId, names }: ProvenanceProps) {
  const query = useQuery({ ...libraryProvenanceGetOptions({ path: { file_id: fileId } }), staleTime: 300_000 });
  if (!query.data) return <QueryState query={query} rows={2} height={32} />;
  const { source, digital_source_type: type, model, made_at, parents, marks } = query.data;
  return (
    <Stack gap="sm">
      <FactList
        facts={[
          [words.source, words.sources[source]],
          [words.type, type && typeText(type)],
          [words.model, model && names.nameOf('models', model)],
          [words.made, <When key="at" at={made_at} size="sm" />],
          [words.parents, parents.length > 0 && <Parents key="parents" ids={parents} />],
        ]}
      />
      <div>
        <Text component="h3" size="sm" fw={600} mb={6}>
          {words.marks}
        </Text>
        <Marks marks={marks} />
      </div>
    </Stack>
  );
}

function Parents({ ids }: { readonly ids: ProvenanceResponse['parents'] }) {
  return (
    <ul className={classes.parents}>
      {ids.map((id) => (
        <li key={id}>
          <StrongLink to="/library" search={{ open: id } as never}>
            {words.parent(id)}
          </StrongLink>
        </li>
      ))}
    </ul>
  );
}

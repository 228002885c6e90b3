import { List, Modal, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Unlink } from 'lucide-react';
import { EmptyState, Note, QueryState, type useSubject } from '../../../ui/index.ts';
import type { ModelUsesResponse } from '../generated/index.ts';
import { useAccess } from '../operator-queries.ts';
import { words } from './words.ts';

const text = words.uses;

interface ModelUsesProps {
  readonly of: Omit<ReturnType<typeof useSubject<{ readonly id: string; readonly title: string }>>, 'open'>;
}

/** Everything that names a model, before it is turned off, deleted or ends. */
export function ModelUses({ of: { subject, isOpen, close } }: ModelUsesProps) {
  return (
    <Modal opened={isOpen} onClose={close} title={text.title(subject?.title ?? '')} size="lg">
      {subject && <Uses id={subject.id} />}
    </Modal>
  );
}

function Uses({ id }: { readonly id: string }) {
  const { read } = useAccess();
  const query = useQuery({
    queryKey: ['uses', id],
    queryFn: ({ signal }) => read<ModelUsesResponse>(`models/${encodeURIComponent(id)}/uses`, {}, signal),
    // Presets change without this page.
    gcTime: 0,
  });
  const { data } = query;
  if (query.error || !data) return <QueryState query={query} rows={4} height={32} />;
  if (Object.values(data.counts).every((many) => many === 0)) {
    return <EmptyState icon={Unlink} title={text.none} hint={text.noneHint} />;
  }
  return (
    <Stack gap="lg">
      {kindsOf(data).map(({ title, many, uses }) => (
        <section key={title} hidden={many === 0}>
          <Title order={3} size="h4" mb={6}>
            {title}
          </Title>
          <List size="sm" spacing={4}>
            {uses.map(({ key, name, more }) => (
              <List.Item key={key} style={{ overflowWrap: 'anywhere' }}>
                <bdi>{name}</bdi>{' '}
                <Text span inherit c="dimmed">
                  {more}
                </Text>
              </List.Item>
            ))}
          </List>
          {many > uses.length && <Note mt={4} children={text.more(many - uses.length)} />}
        </section>
      ))}
    </Stack>
  );
}

/** The uses by kind, of which the service lists the first. */
function kindsOf({ counts, presets, styles, batches, callers }: ModelUsesResponse) {
  type Named = ModelUsesResponse['presets' | 'styles' | 'batches'][number];
  const named = ({ id, name, workspace_id: workspace }: Named) => ({
    key: String(id),
    name,
    more: text.inWorkspace(workspace),
  });
  return [
    { title: text.presets(counts.presets), many: counts.presets, uses: presets.map(named) },
    { title: text.styles(counts.styles), many: counts.styles, uses: styles.map(named) },
    {
      title: text.batches(counts.batches),
      many: counts.batches,
      uses: batches.map((batch) => ({ ...named(batch), more: text.ofBatch(batch.workspace_id, batch.cells) })),
    },
    {
      title: text.callers(counts.callers),
      many: counts.callers,
      uses: callers.map(({ user_id: user, email, workspace_id: workspace, calls }) => ({
        key: `${user} ${workspace}`,
        name: email ?? text.formerUser(user),
        more: text.ofCaller(workspace, calls),
      })),
    },
  ];
}

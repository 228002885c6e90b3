import { List, Modal, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Unlink } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState, ErrorNotice, Loading, type useSubject, When } from '../../../ui/index.ts';
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
  const { data, error, refetch } = useQuery({
    queryKey: ['uses', id],
    queryFn: ({ signal }) => read<ModelUsesResponse>(`models/${encodeURIComponent(id)}/uses`, {}, signal),
  });
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={4} height={32} />;
  const { counts, presets, styles, batches, callers } = data;
  if (Object.values(counts).every((many) => many === 0)) {
    return <EmptyState icon={Unlink} title={text.none} hint={text.noneHint} />;
  }
  const { inWorkspace } = text;
  return (
    <Stack gap="lg">
      <Kind title={text.presets(counts.presets)} count={counts.presets}>
        {presets.map(({ id: key, name, workspace_id: workspace }) => (
          <Use key={key} name={name} note={inWorkspace(workspace)} />
        ))}
      </Kind>
      <Kind title={text.styles(counts.styles)} count={counts.styles}>
        {styles.map(({ id: key, name, workspace_id: workspace }) => (
          <Use key={key} name={name} note={inWorkspace(workspace)} />
        ))}
      </Kind>
      <Kind title={text.batches(counts.batches)} count={counts.batches}>
        {batches.map(({ id: key, name, workspace_id: workspace, cells }) => (
          <Use key={key} name={name} note={`${inWorkspace(workspace)} · ${text.cells(cells)}`} />
        ))}
      </Kind>
      <Kind title={text.callers(counts.callers)} count={counts.callers}>
        {callers.map(({ user_id: user, email, workspace_id: workspace, calls, last_at: at }) => (
          <Use
            key={`${user} ${workspace}`}
            name={email ?? text.formerUser(user)}
            note={
              <>
                {inWorkspace(workspace)} · {text.calls(calls)} · <When at={at} span />
              </>
            }
          />
        ))}
      </Kind>
    </Stack>
  );
}

interface KindProps {
  readonly title: string;
  readonly count: number;
  readonly children: readonly ReactNode[];
}

/** The uses of one kind, of which the service lists the first. */
function Kind({ title, count, children }: KindProps) {
  if (count === 0) return null;
  return (
    <section>
      <Title order={3} size="h4" mb={6}>
        {title}
      </Title>
      <List size="sm" spacing={4}>
        {children}
      </List>
      {count > children.length && (
        <Text size="xs" c="dimmed" mt={4}>
          {text.more(count - children.length)}
        </Text>
      )}
    </section>
  );
}

function Use({ name, note }: { readonly name: string; readonly note: ReactNode }) {
  return (
    <List.Item style={{ overflowWrap: 'anywhere' }}>
      <bdi>{name}</bdi>{' '}
      <Text span size="sm" c="dimmed">
        · {note}
      </Text>
    </List.Item>
  );
}

import { Group, Text } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import { ActionButton, type Column, column, DataTable, Note, number, When } from '../../ui/index.ts';
import type { QueueDto } from './generated/index.ts';
import { useRead } from './operator-queries.ts';
import { Read } from './Read.tsx';
import { RowName } from './RowName.tsx';
import { words } from './words.ts';

const titles = words.queueColumns;

const counted = (count: 'waiting' | 'running' | 'delayed'): Column<QueueDto> =>
  column(titles[count], '5.5rem', (queue) => number(queue[count]), { isRight: true });

const COLUMNS: readonly Column<QueueDto>[] = [
  column(titles.name, 'minmax(0, 2fr)', (queue) => <Name {...queue} />),
  counted('waiting'),
  counted('running'),
  counted('delayed'),
  column(
    titles.failing,
    '5.5rem',
    ({ failing }) => (
      <Text inherit span c={failing > 0 ? 'var(--mantine-color-error)' : undefined} children={number(failing)} />
    ),
    { isRight: true },
  ),
  column(titles.oldest, '9rem', ({ oldest_due_at: at }) => <When at={at} c="dimmed" />),
];

/** Unfinished jobs by queue. */
export function QueuesPart() {
  return (
    <Read query={useRead('queues')}>
      {({ queues }) => (
        <>
          <DataTable label={words.tabs.queues} rows={queues} columns={COLUMNS} keyOf={({ name }) => name} />
          <Group gap="sm" mt="md">
            <ActionButton
              label={words.dashboard}
              component="a"
              href="/admin/queues"
              target="_blank"
              rel="noreferrer"
              variant="default"
              rightSection={<ExternalLink size={15} aria-hidden />}
            />
            <Note>{words.dashboardHint}</Note>
          </Group>
        </>
      )}
    </Read>
  );
}

function Name({ name, jobs }: QueueDto) {
  const counts = jobs.map((job) => words.job(job.name, number(job.waiting + job.running + job.delayed)));
  return <RowName name={name}>{counts.length > 0 && <Note>{counts.join(' · ')}</Note>}</RowName>;
}

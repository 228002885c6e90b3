import { Box, Group, Progress, Text } from '@mantine/core';
import { UploadCloud } from 'lucide-react';
import { type UploadEntry, UploadRow, uploads, uploadWords, useUploadTotals } from '../../uploads/index.ts';
import { ActionButton, EmptyState, Hint, percent, Section, useRecordDialogs, VirtualList } from '../../ui/index.ts';
import { words } from './words.ts';

type Status = UploadEntry['status'];

/** All uploads of this session, newest first. */
export function UploadList({ entries }: { readonly entries: readonly UploadEntry[] }) {
  if (entries.length === 0) {
    return (
      <Section title={words.list}>
        <EmptyState icon={UploadCloud} title={words.empty} hint={words.emptyHint} />
      </Section>
    );
  }
  return (
    <Section title={words.list} actions={<ForAll entries={entries} />}>
      <Totals />
      <VirtualList items={entries.toReversed()} label={words.list} keyOf={({ id }) => id} rowHeight={62} line="above">
        {(entry) => <UploadRow entry={entry} />}
      </VirtualList>
    </Section>
  );
}

function Totals() {
  const { active, done, count, progress } = useUploadTotals();
  return (
    <Box pb={12}>
      <Group justify="space-between" mb={6}>
        <Text size="sm" role="status">
          {active > 0 ? uploadWords.underWay(done + 1, count) : words.doneOf(done, count)}
        </Text>
        <Hint>{percent(progress)}</Hint>
      </Group>
      <Progress value={progress * 100} aria-label={uploadWords.progressOfAll} />
    </Box>
  );
}

function ForAll({ entries }: { readonly entries: readonly UploadEntry[] }) {
  const { ask, dialogs } = useRecordDialogs();
  const idsOf = (...statuses: Status[]) =>
    entries.filter(({ status }) => statuses.includes(status)).map(({ id }) => id);
  const unfinished = idsOf('waiting', 'sending', 'paused');
  const removeAll = (ids: readonly number[]) => ids.forEach((id) => uploads.remove(id));
  const resumeAll = (ids: readonly number[]) => ids.forEach((id) => uploads.resume(id));
  const { cancelAll, cancelAllTitle, cancelAllHint } = words;
  const question = { title: cancelAllTitle(unfinished.length), what: cancelAllHint, action: cancelAll };
  const actions = [
    { label: words.pauseAll, ids: idsOf('waiting', 'sending'), act: pauseAll },
    { label: words.resumeAll, ids: idsOf('paused'), act: resumeAll },
    { label: words.retryAll, ids: idsOf('failed'), act: resumeAll },
    { label: words.clearDone, ids: idsOf('done'), act: removeAll },
    { label: words.clearFailed, ids: idsOf('failed'), act: removeAll },
    { label: cancelAll, ids: unfinished, act: () => ask(question, async () => removeAll(unfinished)) },
  ];
  return (
    <Group gap="xs">
      {actions.map(
        ({ label, ids, act }) =>
          ids.length > 0 && (
            <ActionButton key={label} label={label} size="xs" variant="default" onClick={() => act(ids)} />
          ),
      )}
      {dialogs}
    </Group>
  );
}

/** Pauses the waiting uploads first, so that none starts when another is paused. */
function pauseAll(ids: readonly number[]): void {
  for (const id of ids.toReversed()) uploads.pause(id);
}

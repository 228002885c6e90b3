import { Button, Chip, Group, SegmentedControl } from '@mantine/core';
import { CheckCheck, Inbox, SearchX } from 'lucide-react';
import { EmptyState, MoreOfList, Page, QueryState, Section, useListState } from '../../ui/index.ts';
import { daysOf, type Kind } from './entries.ts';
import { InboxRow } from './InboxRow.tsx';
import classes from './Inbox.module.css';
import { useInbox, useMarkRead } from './use-inbox.ts';
import { words } from './words.ts';

/** The filters in the address: kinds are separated by commas. */
const ABSENT = { show: '', kinds: '' };
const KINDS = Object.keys(words.kinds) as readonly Kind[];

/** The inbox of the signed-in user, by day. */
export function InboxPage() {
  const [state, change] = useListState(ABSENT);
  const kinds = KINDS.filter((kind) => state.kinds.split(',').includes(kind));
  const { list, entries, unread } = useInbox(kinds, state.show);
  const mark = useMarkRead();
  return (
    <Page title={words.title} hint={words.hint} actions={<MarkAll isNeeded={unread > 0} mark={mark} />}>
      <Group role="search" aria-label={words.show} gap="md">
        <SegmentedControl
          aria-label={words.show}
          data={[
            { value: '', label: words.all },
            { value: 'unread', label: words.unread },
            { value: 'open', label: words.open },
          ]}
          value={state.show}
          onChange={(show) => change({ show }, { push: true })}
        />
        <Chip.Group
          multiple
          value={[...kinds]}
          onChange={(chosen) => change({ kinds: chosen.join(',') }, { push: true })}
        >
          <Group role="group" aria-label={words.kindsLabel} gap={6}>
            {KINDS.map((kind) => (
              <Chip key={kind} value={kind} size="sm" children={words.kinds[kind]} />
            ))}
          </Group>
        </Chip.Group>
      </Group>
      <QueryState query={list} rows={6} height={60} />
      {list.data && entries.length === 0 && <Nothing isFiltered={state.show !== '' || kinds.length > 0} />}
      {daysOf(entries, new Date(list.dataUpdatedAt)).map(([day, ofDay]) => (
        <Section key={day} title={day}>
          <ul className={classes.list} aria-label={words.list(day)} aria-busy={list.isPlaceholderData}>
            {ofDay.map((entry) => (
              <InboxRow key={entry.id} entry={entry} onOpen={() => entry.read_at ?? mark.mutate(entry.id)} />
            ))}
          </ul>
        </Section>
      ))}
      {list.data && <MoreOfList query={list} />}
    </Page>
  );
}

function MarkAll({ isNeeded, mark }: { readonly isNeeded: boolean; readonly mark: ReturnType<typeof useMarkRead> }) {
  return (
    <Button
      variant="default"
      leftSection={<CheckCheck size={16} aria-hidden />}
      disabled={!isNeeded}
      loading={mark.isPending && mark.variables === 'all'}
      onClick={() => mark.mutate('all')}
    >
      {words.markAll}
    </Button>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState icon={SearchX} title={words.nothing} hint={words.nothingHint} />
  ) : (
    <EmptyState icon={Inbox} title={words.empty} hint={words.emptyHint} />
  );
}

import { Avatar, Group, Text } from '@mantine/core';
import { File, Folder, Image, Images, LockKeyhole, RotateCcw, Trash2, UserRound } from 'lucide-react';
import type { TrashEntryDto } from '../../api/index.ts';
import { useRole } from '../../shell/index.ts';
import {
  type Column,
  column,
  DataTable,
  EmptyState,
  Hint,
  menuColumn,
  MoreOfList,
  Page,
  Picture,
  QueryState,
  Section,
  useRecordDialogs,
  When,
} from '../../ui/index.ts';
import classes from './TrashPage.module.css';
import { nameOf, useTrash, useTrashActions, useTrashNames } from './use-trash.ts';
import { words } from './words.ts';

/** The deleted items of the workspace, for admins and the owner. */
export function TrashPage() {
  const isAdmin = useRole('admin');
  const { title, hint, adminsOnly, adminsOnlyHint } = words;
  return (
    <Page title={title} hint={hint}>
      <Section>
        {isAdmin ? <TrashList /> : <EmptyState icon={LockKeyhole} title={adminsOnly} hint={adminsOnlyHint} />}
      </Section>
    </Page>
  );
}

function TrashList() {
  const { list, items: entries } = useTrash();
  const names = useTrashNames();
  const { restore, erase } = useTrashActions();
  const { ask, dialogs } = useRecordDialogs();
  const itemsOf = (entry: TrashEntryDto) => [
    { label: words.restore, icon: RotateCcw, onClick: () => void restore(entry) },
    {
      label: words.erase,
      icon: Trash2,
      isDangerous: true,
      onClick: () => ask(words.erasure(nameOf(entry)), () => erase(entry)),
    },
  ];
  const columns = [
    ...columnsWith(names),
    menuColumn((entry: TrashEntryDto) => words.actionsOf(nameOf(entry)), itemsOf),
  ];
  if (!entries) return <QueryState query={list} rows={5} height={56} />;
  return (
    <>
      {entries.length === 0 && <EmptyState icon={Trash2} title={words.empty} hint={words.emptyHint} />}
      {entries.length > 0 && <DataTable label={words.label} rows={entries} columns={columns} keyOf={({ id }) => id} />}
      <MoreOfList query={list} />
      {dialogs}
    </>
  );
}

function columnsWith({ personOf, kindOf }: ReturnType<typeof useTrashNames>): readonly Column<TrashEntryDto>[] {
  const titles = words.columns;
  return [
    column(titles.what, 'minmax(0, 2.4fr)', (entry) => (
      <DeletedItem entry={entry} name={nameOf(entry)} kind={kindOf(entry)} />
    )),
    column(titles.by, 'minmax(0, 1.4fr)', (entry) => (
      <Text component="bdi" inherit lineClamp={2}>
        {personOf(entry)}
      </Text>
    )),
    column(titles.at, '8rem', ({ deleted_at }) => <When at={deleted_at} />),
    column(titles.until, '8rem', ({ expires_at }) => <When at={expires_at} />),
  ];
}

const ICONS = { board: Images, folder: Folder, media: File, item: Image, persona: UserRound } as const;

interface DeletedItemProps {
  readonly entry: TrashEntryDto;
  readonly name: string;
  readonly kind: string;
}

/** A deleted item. A picture shows only its placeholder, because its file is no longer served. */
function DeletedItem({ entry, name, kind }: DeletedItemProps) {
  const Icon = ICONS[entry.kind];
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      {entry.placeholder ? (
        <Picture src={null} alt="" placeholder={entry.placeholder} className={classes.colours} />
      ) : (
        <Avatar aria-hidden color="sea" variant="light" size={36} radius="sm">
          <Icon size={18} />
        </Avatar>
      )}
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text component="bdi" size="md" fw={560} lineClamp={2} title={name}>
          {name}
        </Text>
        <Hint lineClamp={1} dir="auto">
          {kind}
        </Hint>
      </div>
    </Group>
  );
}

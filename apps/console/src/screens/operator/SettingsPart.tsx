import { Code, Group, Switch, Text } from '@mantine/core';
import { type Column, column, DataTable, EmptyState, Note, SearchField } from '../../ui/index.ts';
import type { SettingDto } from './generated/index.ts';
import { useRead } from './operator-queries.ts';
import type { PartProps } from './operator-access.ts';
import { Read } from './Read.tsx';
import { matching } from './rules.ts';
import { words } from './words.ts';

const titles = words.settingColumns;

const COLUMNS: readonly Column<SettingDto>[] = [
  column(titles.variable, 'minmax(0, 1.5fr)', ({ variable, description }) => (
    <div>
      <Code>{variable}</Code>
      <Note mt={4}>{plain(description)}</Note>
    </div>
  )),
  column(titles.value, 'minmax(0, 1fr)', (setting) => <Value {...setting} />),
];

/** The settings that the service was started with, without secrets. */
export function SettingsPart({ state: { q, set }, onChange }: PartProps) {
  return (
    <Read query={useRead('settings')}>
      {({ settings }) => {
        const chosen = settings.filter(({ is_set: isSet }) => isSet || !set);
        const found = matching(chosen, q, ({ variable, description }) => [variable, description]);
        return (
          <>
            <Group gap="md" mb="sm">
              <SearchField label={words.findSetting} value={q} onChange={(q) => onChange({ q })} />
              <Switch
                label={words.onlySet}
                checked={set}
                onChange={(event) => onChange({ set: event.target.checked })}
              />
            </Group>
            {found.length === 0 ? (
              <EmptyState title={words.noSetting} />
            ) : (
              <DataTable
                label={words.tabs.settings}
                rows={found}
                columns={COLUMNS}
                keyOf={({ variable }) => variable}
              />
            )}
          </>
        );
      }}
    </Read>
  );
}

function Value({ is_set: isSet, value, default: standard }: SettingDto) {
  const { hidden, isDefault, notSet } = words;
  if (isSet) return value === null ? <Text inherit fs="italic" children={hidden} /> : <Code>{value}</Code>;
  const text = standard === null ? notSet : isDefault(plain(standard));
  return <Text inherit c="dimmed" children={text} />;
}

/** Without the backticks of the documentation. */
function plain(text: string): string {
  return text.replaceAll('`', '');
}

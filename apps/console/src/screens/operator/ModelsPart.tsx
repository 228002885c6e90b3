import { Progress, Text } from '@mantine/core';
import { type Column, DataTable, EmptyState, number, SearchField } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { HealthBadge } from './HealthBadge.tsx';
import type { CatalogueModelDto } from './generated/index.ts';
import { useRead } from './operator-queries.ts';
import type { PartProps } from './operator-access.ts';
import { Read } from './Read.tsx';
import { matching, sharesOf } from './rules.ts';

const titles = words.operator.modelColumns;

const COLUMNS: readonly Column<CatalogueModelDto>[] = [
  { title: titles.model, width: 'minmax(0, 1.6fr)', cell: (model) => <Name {...model} /> },
  { title: titles.health, width: 'minmax(0, 1.2fr)', cell: ({ health }) => <HealthBadge health={health} /> },
  { title: titles.recent, width: 'minmax(0, 1.4fr)', cell: ({ recent }) => <Recent counts={recent} /> },
];

/** The models of the catalogue, with their health and the states of their newest generations. */
export function ModelsPart({ state: { q }, onChange }: PartProps) {
  const query = useRead('providers');
  return (
    <Read query={query}>
      {({ models }) => {
        const found = matching(models, q, ({ id, title, provider }) => [id, title, provider]);
        return (
          <>
            <SearchField label={words.operator.findModel} value={q} onChange={(q) => onChange({ q })} />
            {found.length === 0 ? (
              <EmptyState title={words.operator.noModel} />
            ) : (
              <DataTable label={words.operator.tabs.models} rows={found} columns={COLUMNS} keyOf={({ id }) => id} />
            )}
          </>
        );
      }}
    </Read>
  );
}

function Name({ title, id, provider, target }: CatalogueModelDto) {
  return (
    <div>
      <Text component="bdi" inherit fw={600} title={title} lineClamp={2}>
        {title}
      </Text>
      <Text size="xs" c="dimmed">
        {id}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={2} title={target}>
        {words.operator.target(provider, target)}
      </Text>
    </div>
  );
}

const COLORS: Readonly<Record<string, string>> = { succeeded: 'sea', failed: 'red', running: 'blue', queued: 'yellow' };

function Recent({ counts }: { readonly counts: CatalogueModelDto['recent'] }) {
  const shares = sharesOf(counts);
  if (shares.length === 0) return <Text inherit c="dimmed" children={words.operator.none} />;
  return (
    <div style={{ flex: 1 }}>
      <Progress.Root size={6} aria-hidden>
        {shares.map(({ state, share }) => (
          <Progress.Section key={state} value={share * 100} color={COLORS[state] ?? 'gray'} withAria={false} />
        ))}
      </Progress.Root>
      <Text size="xs" mt={6}>
        {shares
          .map(({ state, count }) => words.operator.recent(words.operator.recentStates[state] ?? state, number(count)))
          .join(' · ')}
      </Text>
    </div>
  );
}

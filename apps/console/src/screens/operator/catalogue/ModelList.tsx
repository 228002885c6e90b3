import { Badge, Group, Progress, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Pencil, Plus, Power, Sparkles, Trash2, Unlink } from 'lucide-react';
import { costText } from '../../../model-form/index.ts';
import {
  ActionButton,
  type ActionItem,
  type Column,
  column,
  DataTable,
  EmptyState,
  ErrorNotice,
  menuColumn,
  Note,
  notifyDone,
  notifyError,
  number,
  SearchField,
  uiWords,
  useRecordDialogs,
  useSubject,
} from '../../../ui/index.ts';
import type { AddedModelDto, CatalogueModelDto } from '../generated/index.ts';
import { HealthBadge } from '../HealthBadge.tsx';
import type { PartProps } from '../operator-access.ts';
import { useCatalogue, useRead } from '../operator-queries.ts';
import { Read } from '../Read.tsx';
import { MENU_WIDTH } from '../RecordList.tsx';
import { matching, sharesOf } from '../rules.ts';
import { words as operatorWords } from '../words.ts';
import { useCatalogueChanges } from './catalogue-queries.ts';
import { EndOfModel } from './EndOfModel.tsx';
import { type KnownModel, modelsOf } from './known-models.ts';
import { ModelUsage } from './ModelUsage.tsx';
import { ModelUses } from './ModelUses.tsx';
import { words } from './words.ts';

const text = words.model;

/** The models of the catalogue, with their health and the states of their newest generations. */
export function ModelList({ state: { q }, onChange }: PartProps) {
  const { added, checked } = useCatalogue();
  const listed = useRead('models');
  const actionsOf = useModelActions((id) => onChange({ model: id }, { push: true }));
  const models = modelsOf(added.data, checked.data, listed.data?.models ?? []);
  const found = matching(models, q, ({ id, title, provider }) => [id, title, provider]);
  const menu = menuColumn(({ title }: KnownModel) => text.actions(title), actionsOf.items, MENU_WIDTH);
  const connect = (
    <ActionButton icon={Plus} label={text.connect} onClick={() => onChange({ connect: true }, { push: true })} />
  );
  return (
    <Stack gap="lg">
      <Read query={added} actions={connect}>
        {() => (
          <>
            {checked.error && <ErrorNotice error={checked.error} onRetry={() => void checked.refetch()} />}
            <SearchField label={operatorWords.findModel} value={q} onChange={(q) => onChange({ q })} />
            {listed.data && found.length === 0 ? (
              <EmptyState title={operatorWords.noModel} />
            ) : (
              <DataTable
                label={operatorWords.tabs.models}
                rows={found}
                columns={[...COLUMNS, menu]}
                keyOf={({ id }) => id}
              />
            )}
          </>
        )}
      </Read>
      <ModelUsage models={models} />
      {actionsOf.dialogs}
    </Stack>
  );
}

/** Actions of operators on a model. */
function useModelActions(onEdit: (id: string) => void) {
  const navigate = useNavigate();
  const { saveModel, deleteModel } = useCatalogueChanges();
  const records = useRecordDialogs();
  const breaking = useSubject<KnownModel>();
  const turn = async ({ title, added }: KnownModel, isOffered: boolean) => {
    const { id, entry, revision } = added!;
    await saveModel(id, { entry: entry as AddedModelDto['entry'], is_offered: isOffered, revision });
    notifyDone(isOffered ? text.turnedOn(title) : text.turnedOff(title));
  };
  const remove = ({ title, added }: KnownModel) => records.ask(text.deletion(title), () => deleteModel(added!));
  const items = (known: KnownModel): readonly ActionItem[] => {
    const { id, added, model } = known;
    const isOffered = model !== null && added?.is_offered !== false;
    const use = { label: text.use, icon: Sparkles, onClick: () => void navigate(generateWith(id)) };
    // Styles are trained on the pictures of a persona.
    const ask = { label: words.uses.ask, icon: Unlink, onClick: () => breaking.open(known) };
    const uses = [...(isOffered && model.kind !== 'style' ? [use] : []), ask];
    if (!added) return uses;
    const { turnOn, turnOff } = text;
    return [
      { label: text.edit, icon: Pencil, onClick: () => onEdit(id) },
      ...uses,
      ...(model
        ? [
            {
              label: isOffered ? turnOff : turnOn,
              icon: Power,
              onClick: () => void turn(known, !isOffered).catch(notifyError),
            },
          ]
        : []),
      { label: text.delete, icon: Trash2, onClick: () => remove(known), isDangerous: true },
    ];
  };
  const dialogs = (
    <>
      {records.dialogs}
      <ModelUses of={breaking} />
    </>
  );
  return { items, dialogs };
}

/** The address of the form that generates with a model. */
export function generateWith(model: string) {
  return { to: '/generate', search: { model } as never } as const;
}

const COLUMNS: readonly Column<KnownModel>[] = [
  column(text.columns.model, 'minmax(0, 2fr)', (model) => <Name {...model} />),
  column(text.columns.source, '6.5rem', (model) => <Source {...model} />),
  column(text.columns.cost, '7.5rem', ({ model }) => (model ? costText(model) : '')),
  column(text.columns.health, 'minmax(0, 1.4fr)', (model) => <Health {...model} />),
  column(text.columns.recent, 'minmax(0, 1.2fr)', ({ checked }) => checked && <RecentStates counts={checked.recent} />),
];

function Name({ title, id, provider, target, model, end }: KnownModel) {
  return (
    <div>
      <Text component="bdi" inherit fw={600} title={title} lineClamp={2}>
        {title}
      </Text>
      <Note lineClamp={2}>{model ? `${id} · ${uiWords.generation.kinds[model.kind]}` : id}</Note>
      <Note lineClamp={2} title={target}>
        {target === '' ? provider : operatorWords.target(provider, target)}
      </Note>
      {end && <EndOfModel end={end} />}
    </div>
  );
}

function Source({ source, added }: KnownModel) {
  return (
    <Group gap={6}>
      <Badge color={added ? 'sea' : 'gray'}>{text.sources[source]}</Badge>
      {added?.is_offered === false && <Badge color="gray">{text.isOff}</Badge>}
    </Group>
  );
}

function Health({ added, model, checked }: KnownModel) {
  if (added && !model) {
    const problems = Object.entries(added.problems as Readonly<Record<string, readonly string[]>>);
    const advice = problems.map(([field, messages]) => `${field} ${messages.join(', ')}`).join('; ');
    return <HealthBadge health={{ state: 'ill', finding: text.isWrong, advice }} />;
  }
  if (added?.is_offered === false) return <Text inherit c="dimmed" children={operatorWords.none} />;
  return checked ? (
    <HealthBadge health={checked.health} />
  ) : (
    <Text inherit c="dimmed">
      {operatorWords.checking}
    </Text>
  );
}

const COLORS: Readonly<Record<string, string>> = { succeeded: 'sea', failed: 'red', running: 'blue', queued: 'yellow' };

/** How the newest generations of a model ended. */
function RecentStates({ counts }: { readonly counts: CatalogueModelDto['recent'] }) {
  const shares = sharesOf(counts);
  if (shares.length === 0) return <Text inherit c="dimmed" children={operatorWords.none} />;
  return (
    <div style={{ flex: 1 }}>
      <Progress.Root size={6} aria-hidden>
        {shares.map(({ state, share }) => (
          <Progress.Section key={state} value={share * 100} color={COLORS[state] ?? 'gray'} withAria={false} />
        ))}
      </Progress.Root>
      <Text size="xs" mt={6}>
        {shares
          .map(({ state, count }) => operatorWords.recent(operatorWords.recentStates[state] ?? state, number(count)))
          .join(' · ')}
      </Text>
    </div>
  );
}

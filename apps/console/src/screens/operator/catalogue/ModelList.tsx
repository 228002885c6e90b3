import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Pencil, Plus, Power, Sparkles, Trash2 } from 'lucide-react';
import { modelsListOptions } from '../../../api/index.ts';
import { costText } from '../../../model-form/index.ts';
import {
  type ActionItem,
  ActionMenu,
  type Column,
  ConfirmDialog,
  DataTable,
  EmptyState,
  ErrorNotice,
  notifyDone,
  notifyError,
  SearchField,
  useSubject,
} from '../../../ui/index.ts';
import { words } from '../../../words.ts';
import type { AddedModelDto } from '../generated/index.ts';
import { HealthBadge } from '../HealthBadge.tsx';
import type { PartProps } from '../operator-access.ts';
import { useCatalogue } from '../operator-queries.ts';
import { Read } from '../Read.tsx';
import { matching } from '../rules.ts';
import { useCatalogueChanges } from './catalogue-queries.ts';
import { type KnownModel, modelsOf } from './known-models.ts';
import { ModelUsage } from './ModelUsage.tsx';
import { RecentStates } from './RecentStates.tsx';

const said = words.catalogue.model;

/** The models of the catalogue, with their health and the states of their newest generations. */
export function ModelList({ state: { q }, onChange }: PartProps) {
  const { added, checked } = useCatalogue();
  const offered = useQuery(modelsListOptions());
  const actionsOf = useModelActions((id) => onChange({ model: id }, { push: true }));
  const models = modelsOf(added.data, checked.data, offered.data?.models ?? []);
  const found = matching(models, q, ({ id, title, provider }) => [id, title, provider]);
  const columns: readonly Column<KnownModel>[] = [
    ...COLUMNS,
    {
      title: said.columns.actions,
      isUntitled: true,
      width: '2.75rem',
      cell: (model) => <ActionMenu label={said.actions(model.title)} items={actionsOf.items(model)} />,
    },
  ];
  const connect = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => onChange({ connect: true }, { push: true })}>
      {said.connect}
    </Button>
  );
  return (
    <Stack gap="lg">
      <Read query={added} actions={connect}>
        {() => (
          <>
            {checked.error && <ErrorNotice error={checked.error} onRetry={() => void checked.refetch()} />}
            <SearchField label={words.operator.findModel} value={q} onChange={(q) => onChange({ q })} />
            {offered.data && found.length === 0 ? (
              <EmptyState title={words.operator.noModel} />
            ) : (
              <DataTable label={words.operator.tabs.models} rows={found} columns={columns} keyOf={({ id }) => id} />
            )}
          </>
        )}
      </Read>
      <ModelUsage />
      {actionsOf.dialog}
    </Stack>
  );
}

/** What operators can do with a model. */
function useModelActions(onEdit: (id: string) => void) {
  const navigate = useNavigate();
  const { saveModel, deleteModel } = useCatalogueChanges();
  const deletion = useSubject<KnownModel>();
  const turn = async ({ title, added }: KnownModel, isOffered: boolean) => {
    const { id, entry, revision } = added!;
    await saveModel(id, { entry: entry as AddedModelDto['entry'], is_offered: isOffered, revision });
    notifyDone(isOffered ? said.turnedOn(title) : said.turnedOff(title));
  };
  const items = (known: KnownModel): readonly ActionItem[] => {
    const { id, added, model } = known;
    const isOffered = model !== null && added?.is_offered !== false;
    const use = { label: said.use, icon: Sparkles, onClick: () => void navigate(generateWith(id)) };
    // Styles are trained on the pictures of a persona.
    const uses = isOffered && model.kind !== 'style' ? [use] : [];
    if (!added) return uses;
    const { turnOn, turnOff } = said;
    return [
      { label: said.edit, icon: Pencil, onClick: () => onEdit(id) },
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
      { label: said.delete, icon: Trash2, onClick: () => deletion.open(known), isDangerous: true },
    ];
  };
  const title = deletion.subject?.title ?? '';
  const dialog = (
    <ConfirmDialog
      opened={deletion.isOpen}
      onClose={deletion.close}
      title={said.deleteTitle(title)}
      action={said.delete}
      onConfirm={() => deleteModel(deletion.subject!.added!).then(() => notifyDone(said.deleted(title)))}
    >
      <Text size="sm">{said.deleteWhat}</Text>
    </ConfirmDialog>
  );
  return { items, dialog };
}

/** The address of the form that generates with a model. */
export function generateWith(model: string) {
  return { to: '/generate', search: { model } as never } as const;
}

const COLUMNS: readonly Column<KnownModel>[] = [
  { title: said.columns.model, width: 'minmax(0, 2fr)', cell: (model) => <Name {...model} /> },
  { title: said.columns.source, width: '6.5rem', cell: (model) => <Source {...model} /> },
  { title: said.columns.cost, width: '7.5rem', cell: ({ model }) => (model ? costText(model) : '') },
  { title: said.columns.health, width: 'minmax(0, 1.4fr)', cell: (model) => <Health {...model} /> },
  {
    title: said.columns.recent,
    width: 'minmax(0, 1.2fr)',
    cell: ({ checked }) => checked && <RecentStates counts={checked.recent} />,
  },
];

function Name({ title, id, provider, target, model }: KnownModel) {
  return (
    <div>
      <Text component="bdi" inherit fw={600} title={title} lineClamp={2}>
        {title}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={2}>
        {model ? `${id} · ${words.ui.generation.kinds[model.kind]}` : id}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={2} title={target}>
        {target === '' ? provider : words.operator.target(provider, target)}
      </Text>
    </div>
  );
}

function Source({ source, added }: KnownModel) {
  return (
    <Group gap={6}>
      <Badge color={added ? 'sea' : 'gray'}>{said.sources[source]}</Badge>
      {added?.is_offered === false && <Badge color="gray">{said.isOff}</Badge>}
    </Group>
  );
}

function Health({ added, model, checked }: KnownModel) {
  if (added && !model) {
    const problems = Object.entries(added.problems as Readonly<Record<string, readonly string[]>>);
    const advice = problems.map(([field, messages]) => `${field} ${messages.join(', ')}`).join('; ');
    return <HealthBadge health={{ state: 'ill', finding: said.isWrong, advice }} />;
  }
  if (added?.is_offered === false) return <Text inherit c="dimmed" children={words.operator.none} />;
  return checked ? (
    <HealthBadge health={checked.health} />
  ) : (
    <Text inherit c="dimmed">
      {words.operator.checking}
    </Text>
  );
}

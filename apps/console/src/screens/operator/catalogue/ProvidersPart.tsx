import { Badge, Modal, Text } from '@mantine/core';
import { Activity, KeyRound, Pencil, Plus, ServerCog, Trash2 } from 'lucide-react';
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
  type RecordDialogs,
  useRecordDialogs,
  useSubject,
  When,
} from '../../../ui/index.ts';
import { capitalized } from '../../../text.ts';
import type { AddedProviderDto, HealthDto } from '../generated/index.ts';
import { HealthBadge } from '../HealthBadge.tsx';
import { useCatalogue, useRead } from '../operator-queries.ts';
import { Read } from '../Read.tsx';
import { MENU_WIDTH } from '../RecordList.tsx';
import { RowName } from '../RowName.tsx';
import { words as operatorWords } from '../words.ts';
import { useCatalogueChanges } from './catalogue-queries.ts';
import { type KnownProvider, providersOf } from './known-providers.ts';
import { ProviderForm } from './ProviderForm.tsx';
import { words } from './words.ts';

const text = words.provider;

/** The providers: those of operators can be changed here. */
export function ProvidersPart() {
  const { added, checked } = useCatalogue();
  const form = useSubject<{ readonly provider: AddedProviderDto | null }>();
  const { dialogs, ask } = useRecordDialogs();
  const itemsOf = useItems((provider) => form.open({ provider }), ask);
  const providers = providersOf(added.data, checked.data);
  const edited = form.subject?.provider ?? null;
  const menu = menuColumn(({ id }: KnownProvider) => text.actions(id), itemsOf, MENU_WIDTH);
  const add = <ActionButton icon={Plus} label={text.add} onClick={() => form.open({ provider: null })} />;
  return (
    <>
      <Read query={added} actions={providers.length > 0 && add}>
        {() => (
          <>
            {checked.error && <ErrorNotice error={checked.error} onRetry={() => void checked.refetch()} />}
            {providers.length === 0 && checked.data ? (
              <EmptyState icon={ServerCog} title={text.none} hint={text.noneHint} action={add} />
            ) : (
              <DataTable
                label={operatorWords.providers}
                rows={providers}
                columns={[...COLUMNS, menu]}
                keyOf={({ id }) => id}
              />
            )}
          </>
        )}
      </Read>
      <Modal opened={form.isOpen} onClose={form.close} title={edited ? text.editTitle(edited.id) : text.addTitle}>
        <DialogForm provider={edited} taken={providers.map(({ id }) => id)} onClose={form.close} />
      </Modal>
      {dialogs}
    </>
  );
}

/** Returns the actions of a provider: those of operators can be changed. */
function useItems(edit: (provider: AddedProviderDto) => void, ask: RecordDialogs['ask']) {
  const { checkProvider, saveProvider, deleteProvider } = useCatalogueChanges();
  const check = (id: string) =>
    checkProvider(id).then((health) => {
      if (health.state === 'well') notifyDone(text.well(id, health.finding), `provider ${id}`);
      else notifyError(findingOf(health), text.ill(id), `provider ${id}`);
    }, notifyError);
  const removeKey = ({ id, has_key: _has, key_end: _end, problem: _problem, ...provider }: AddedProviderDto) =>
    ask(text.keyRemoval(id), () => saveProvider(id, { ...provider, key: null }));
  const remove = (provider: AddedProviderDto) => ask(text.deletion(provider.id), () => deleteProvider(provider));
  return ({ id, added, problem }: KnownProvider) => {
    const items: ActionItem[] = [];
    if (problem === null) items.push({ label: text.check, icon: Activity, onClick: () => void check(id) });
    if (!added) return items;
    items.push({ label: text.edit, icon: Pencil, onClick: () => edit(added) });
    if (added.has_key) items.push({ label: text.removeKey, icon: KeyRound, onClick: () => removeKey(added) });
    items.push({ label: text.delete, icon: Trash2, onClick: () => remove(added), isDangerous: true });
    return items;
  };
}

const COLUMNS: readonly Column<KnownProvider>[] = [
  column(text.columns.id, 'minmax(0, 1.3fr)', (provider) => <Name {...provider} />),
  column(text.columns.key, '7rem', keyText),
  column(text.columns.health, 'minmax(0, 1.6fr)', (provider) => <Health {...provider} />),
  column(text.columns.limits, '8rem', ({ maxConcurrent, perMinute }) => (
    <div>
      {text.atATime(number(maxConcurrent))}
      <Note>{perMinute === null ? operatorWords.noLimit : text.perMinute(number(perMinute))}</Note>
    </div>
  )),
];

function keyText({ added }: KnownProvider): string {
  if (!added) return text.inSettings;
  if (!added.has_key) return text.noKey;
  return added.key_end === null ? text.keyHidden : text.ends(added.key_end);
}

function Name({ id, type, added }: KnownProvider) {
  const badge = !added && (
    <Badge color="gray" title={text.fixedHint}>
      {text.fixed}
    </Badge>
  );
  return (
    <RowName name={id} badges={badge}>
      <Note>{words.vendors[type as keyof typeof words.vendors]?.name ?? type}</Note>
      {added?.base_url && <Note dir="ltr">{added.base_url}</Note>}
    </RowName>
  );
}

function Health({ problem, health, pausedSince, isChecked }: KnownProvider) {
  if (problem !== null) return <HealthBadge health={{ state: 'ill', finding: text.unusable, advice: problem }} />;
  if (!isChecked) return <Text inherit c="dimmed" children={operatorWords.checking} />;
  return (
    <div>
      <HealthBadge health={health} isPaused={pausedSince !== null} />
      {pausedSince !== null && (
        <Text size="xs" c="var(--mantine-color-error)">
          {text.paused} <When at={pausedSince} />
        </Text>
      )}
    </div>
  );
}

/** The finding, and its remedy. */
function findingOf({ finding, advice }: HealthDto): string {
  return [finding, advice].flatMap((text) => (text ? [`${capitalized(text)}.`] : [])).join(' ');
}

interface DialogFormProps {
  readonly provider: AddedProviderDto | null;
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

function DialogForm({ provider: opened, taken, onClose }: DialogFormProps) {
  const { data } = useRead('catalogue');
  const { checkProvider } = useCatalogueChanges();
  const load = useSubject<AddedProviderDto>();
  const provider = load.subject ?? opened;
  const saved = async ({ id }: AddedProviderDto) => {
    onClose();
    const health = await checkProvider(id);
    if (health.state === 'well') notifyDone(text.saved(id), `provider ${id}`);
    else notifyError(findingOf(health), text.savedIll(id), `provider ${id}`);
  };
  const current = data?.providers.find(({ id }) => id === opened?.id);
  return (
    <ProviderForm
      key={provider?.revision}
      provider={provider}
      taken={taken}
      submit={text.save}
      onSaved={(provider) => void saved(provider).catch(notifyError)}
      onLoad={() => current && load.open(current)}
    />
  );
}

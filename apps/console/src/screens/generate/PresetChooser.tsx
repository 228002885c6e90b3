import { Modal, Stack, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Bookmark, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type ModelDto, type PresetDto, presetsListOptions, useChange, x12 } from '../../api/index.ts';
import { ModelEnd, modelFormWords, modelOf, modelOfPreset } from '../../model-form/index.ts';
import { useMe } from '../../shell/index.ts';
import { matches } from '../../text.ts';
import { type ActionItem, ActionMenu, EmptyState, QueryState, SearchField, useRecordDialogs } from '../../ui/index.ts';
import classes from './PresetChooser.module.css';
import { words } from './words.ts';

/** A workspace has no more. */
const ALL = 200;
/** Shorter lists need no search. */
const FEW = 6;

const text = words.presets;

interface PresetChooserProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly models: readonly ModelDto[];
  readonly onChoose: (preset: PresetDto) => void;
}

/** All presets of the workspace: one is chosen, or changed by people who may. */
export function PresetChooser({ opened, onClose, ...choice }: PresetChooserProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={text.title} size={560}>
      <Choice {...choice} />
    </Modal>
  );
}

function Choice({ models, onChoose }: Pick<PresetChooserProps, 'models' | 'onChoose'>) {
  const query = useQuery(presetsListOptions({ query: { limit: ALL } }));
  const [search, setSearch] = useState('');
  const { actionsOf, dialogs } = usePresetActions();
  if (!query.data) return <QueryState query={query} rows={3} height={64} />;
  const { presets } = query.data;
  if (presets.length === 0) return <EmptyState icon={Bookmark} title={text.empty} hint={text.emptyHint} />;
  const found = presets.filter(({ name, prompt, model }) => matches(search, name, prompt, model));
  return (
    <Stack gap="sm">
      {presets.length > FEW && <SearchField label={text.search} value={search} onChange={setSearch} />}
      {found.length === 0 && <Text c="dimmed">{text.noMatch}</Text>}
      <ul className={classes.list}>
        {found.map((preset) => (
          <li key={preset.id} className={classes.row}>
            <PresetRow preset={preset} models={models} onChoose={() => onChoose(preset)} />
            <ActionMenu label={text.actions(preset.name)} items={actionsOf(preset)} />
          </li>
        ))}
      </ul>
      {dialogs}
    </Stack>
  );
}

interface PresetRowProps {
  readonly preset: PresetDto;
  readonly models: readonly ModelDto[];
  readonly onChoose: () => void;
}

function PresetRow({ preset, models, onChoose }: PresetRowProps) {
  const { name, prompt, missing } = preset;
  const model = modelOf(modelOfPreset(preset), models);
  // The form needs a model that is offered.
  const isUsable = model !== undefined && !missing.includes('model');
  return (
    <UnstyledButton className={classes.preset} disabled={!isUsable} onClick={onChoose}>
      <Text span fw={560} display="block" dir="auto" className={classes.name}>
        {name}
      </Text>
      <Text span size="sm" c="dimmed" lineClamp={2} dir="auto">
        {[model?.title, prompt].filter(Boolean).join(' · ')}
      </Text>
      <ModelEnd {...preset} models={models} />
      {missing.includes('persona') && (
        <Text span size="sm" display="block" c="var(--mantine-color-error)">
          {text.personaGone}
        </Text>
      )}
    </UnstyledButton>
  );
}

/** Actions of the creator of a preset, of admins and of the owner. */
function usePresetActions() {
  const { user, role } = useMe();
  const { fill, ask, dialogs } = useRecordDialogs();
  const rename = useChange(
    (preset: { readonly id: number; readonly name: string }) => x12.presets.update(preset),
    'presets',
  );
  const remove = useChange((id: number) => x12.presets.delete({ id }), 'presets');
  const askForName = ({ id, name: initial }: PresetDto) =>
    fill({
      title: text.renameTitle,
      fields: { name: { label: modelFormWords.presets.name, initial, maxLength: 100 } },
      submit: modelFormWords.presets.saveAction,
      send: async ({ name }) => void (await rename.mutateAsync({ id, name })),
    });
  const askToDelete = ({ id, name }: PresetDto) =>
    ask({ title: text.deleteTitle, what: text.deleteText(name), action: text.delete }, () => remove.mutateAsync(id));
  const actionsOf = (preset: PresetDto): readonly ActionItem[] => {
    if (role === 'member' && preset.created_by !== user.id) return [];
    return [
      { label: text.rename, icon: Pencil, onClick: () => askForName(preset) },
      { label: text.delete, icon: Trash2, onClick: () => askToDelete(preset), isDangerous: true },
    ];
  };
  return { actionsOf, dialogs };
}

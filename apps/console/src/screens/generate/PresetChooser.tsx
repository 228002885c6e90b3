import { Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type ModelDto, type PresetDto, presetsListOptions, refresh, x12 } from '../../api/index.ts';
import { ModelEnd, modelFormWords, modelOf, modelOfPreset } from '../../model-form/index.ts';
import { useMe } from '../../shell/index.ts';
import { ActionMenu, ConfirmDialog, EmptyState, ErrorNotice, FieldForm, Loading, SearchField } from '../../ui/index.ts';
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
  const { data, error, refetch } = useQuery(presetsListOptions({ query: { limit: ALL } }));
  const [search, setSearch] = useState('');
  const [changed, setChanged] = useState<{ readonly preset: PresetDto; readonly by: 'rename' | 'delete' } | null>(null);
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={3} height={64} />;
  const { presets } = data;
  if (presets.length === 0) return <EmptyState icon={Bookmark} title={text.empty} hint={text.emptyHint} />;
  const found = presets.filter((preset) => matches(preset, search));
  const close = () => setChanged(null);
  return (
    <Stack gap="sm">
      {presets.length > FEW && <SearchField label={text.search} value={search} onChange={setSearch} />}
      {found.length === 0 && <Text c="dimmed">{text.noMatch}</Text>}
      <ul className={classes.list}>
        {found.map((preset) => (
          <li key={preset.id} className={classes.row}>
            <PresetRow preset={preset} models={models} onChoose={() => onChoose(preset)} />
            <PresetMenu preset={preset} onChange={(by) => setChanged({ preset, by })} />
          </li>
        ))}
      </ul>
      <RenamePreset preset={changed?.by === 'rename' ? changed.preset : null} onClose={close} />
      <DeletePreset preset={changed?.by === 'delete' ? changed.preset : null} onClose={close} />
    </Stack>
  );
}

function matches({ name, prompt, model }: PresetDto, search: string): boolean {
  const text = `${name} ${prompt ?? ''} ${model}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
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

interface PresetMenuProps {
  readonly preset: PresetDto;
  readonly onChange: (by: 'rename' | 'delete') => void;
}

/** For the creator, admins and the owner. */
function PresetMenu({ preset, onChange }: PresetMenuProps) {
  const { user, role } = useMe();
  if (role === 'member' && preset.created_by !== user.id) return null;
  return (
    <ActionMenu
      label={text.actions(preset.name)}
      items={[
        { label: text.rename, icon: Pencil, onClick: () => onChange('rename') },
        { label: text.delete, icon: Trash2, onClick: () => onChange('delete'), isDangerous: true },
      ]}
    />
  );
}

interface ChangeProps {
  /** Null while the dialog is closed. */
  readonly preset: PresetDto | null;
  readonly onClose: () => void;
}

function RenamePreset({ preset, onClose }: ChangeProps) {
  const queries = useQueryClient();
  const rename = async ({ id }: PresetDto, name: string) => {
    await x12.presets.update({ id, name });
    await refresh(queries, 'presets');
  };
  return (
    <Modal opened={preset !== null} onClose={onClose} title={text.renameTitle}>
      {preset && (
        <FieldForm
          initial={{ name: preset.name }}
          labels={{ name: modelFormWords.presets.name }}
          send={({ name }) => rename(preset, name)}
          onDone={onClose}
          submit={modelFormWords.presets.saveAction}
        >
          {(field) => <TextInput data-autofocus maxLength={100} dir="auto" {...field('name')} />}
        </FieldForm>
      )}
    </Modal>
  );
}

function DeletePreset({ preset, onClose }: ChangeProps) {
  const queries = useQueryClient();
  const remove = async () => {
    await x12.presets.delete({ id: preset!.id });
    await refresh(queries, 'presets');
  };
  return (
    <ConfirmDialog
      opened={preset !== null}
      onClose={onClose}
      title={text.deleteTitle}
      action={text.delete}
      onConfirm={remove}
    >
      <Text>{text.deleteText(preset?.name ?? '')}</Text>
    </ConfirmDialog>
  );
}

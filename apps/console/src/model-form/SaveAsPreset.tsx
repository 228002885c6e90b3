import { Modal, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { refresh, x12 } from '../api/index.ts';
import { FieldForm, Hint, notifyDone } from '../ui/index.ts';
import type { PresetSettings } from './presets.ts';
import { variablesOf } from './variables.ts';
import { words } from './words.ts';

interface SaveAsPresetProps {
  /** Null while the dialog is closed. */
  readonly settings: PresetSettings | null;
  readonly onClose: () => void;
}

const text = words.presets;

/** Asks for the name of a new preset. */
export function SaveAsPreset({ settings, onClose }: SaveAsPresetProps) {
  const queries = useQueryClient();
  const save = async (of: PresetSettings, name: string) => {
    await x12.presets.create({ ...of, name });
    await refresh(queries, 'presets');
    onClose();
    notifyDone(text.saved(name.trim()));
  };
  return (
    <Modal opened={settings !== null} onClose={onClose} title={text.save}>
      {settings && (
        <FieldForm labels={{ name: text.name }} send={({ name }) => save(settings, name)} submit={text.saveAction}>
          {(field) => (
            <>
              <TextInput data-autofocus maxLength={100} dir="auto" {...field('name')} />
              <Hint>{variableHint(settings)}</Hint>
            </>
          )}
        </FieldForm>
      )}
    </Modal>
  );
}

function variableHint({ prompt }: PresetSettings): string {
  const names = variablesOf(prompt ?? '');
  return names.length === 0 ? text.noVariables : text.withVariables(names.join(', '));
}

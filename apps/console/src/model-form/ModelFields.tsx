import { Button, Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { DryRunResponse, ModelDto } from '../api/index.ts';
import { type Draft, EMPTY_DRAFT } from './draft.ts';
import { Inputs } from './Inputs.tsx';
import { parameterFields } from './parameter-fields.ts';
import { ParameterForm } from './ParameterForm.tsx';
import { words } from './words.ts';

interface ModelFieldsProps {
  readonly draft: Draft;
  readonly model: ModelDto;
  /** The name of a parameter that has its field elsewhere. */
  readonly without?: string;
  /** The pictures that the service takes from the persona. */
  readonly resolved?: DryRunResponse['inputs'];
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (part: Partial<Draft>) => void;
}

/** The fields that a model adds to the prompt: its input pictures and its parameters. */
export function ModelFields({ draft, model, without, resolved, problems, onChange }: ModelFieldsProps) {
  const fields = useMemo(
    () => parameterFields(model.parameters).filter(({ name, kind }) => name !== without || kind !== 'choice'),
    [model, without],
  );
  return (
    <>
      <Inputs draft={draft} model={model} resolved={resolved} problems={problems} onChange={onChange} />
      {fields.length > 0 && (
        <div role="group" aria-label={words.settings}>
          <Group justify="space-between" mb={6} mih={26}>
            <Text fw={600} size="sm">
              {words.settings}
            </Text>
            {Object.keys(draft.parameters).length > 0 && (
              <Button
                size="compact-xs"
                variant="subtle"
                onClick={() => onChange({ parameters: EMPTY_DRAFT.parameters })}
              >
                {words.reset}
              </Button>
            )}
          </Group>
          <ParameterForm
            fields={fields}
            values={draft.parameters}
            problems={problems}
            onChange={(name, value) => onChange({ parameters: { ...draft.parameters, [name]: value } })}
          />
        </div>
      )}
    </>
  );
}

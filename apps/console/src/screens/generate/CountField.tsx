import { Select } from '@mantine/core';
import { useMemo } from 'react';
import type { ModelDto } from '../../api/index.ts';
import type { Draft } from '../../model-form/draft.ts';
import { parameterFields } from '../../model-form/index.ts';
import classes from './Composer.module.css';
import { words } from './words.ts';

/** The parameter that says how many outputs are made. */
export const COUNT = 'count';

interface CountFieldProps {
  readonly draft: Draft;
  readonly model: ModelDto;
  readonly error: string | undefined;
  readonly onChange: (part: Partial<Draft>) => void;
}

/** How many outputs are made, where the model can make several. */
export function CountField({ draft, model, error, onChange }: CountFieldProps) {
  const field = useMemo(() => parameterFields(model.parameters).find(({ name }) => name === COUNT), [model]);
  if (field?.kind !== 'choice') return null;
  const chosen = draft.parameters[COUNT] ?? field.byDefault;
  return (
    <Select
      className={classes.count}
      size="md"
      aria-label={field.label}
      allowDeselect={false}
      error={error}
      data={field.choices.map((choice) => ({ value: String(choice), label: words.times(String(choice)) }))}
      value={chosen === undefined ? null : String(chosen)}
      onChange={(text) =>
        onChange({
          parameters: { ...draft.parameters, [COUNT]: field.choices.find((choice) => String(choice) === text) },
        })
      }
    />
  );
}

import { Button } from '@mantine/core';
import { Eraser } from 'lucide-react';
import type { ModelDto, PresetDto } from '../../api/index.ts';
import { type Draft, isEmpty } from '../../model-form/draft.ts';
import { ModelFields, VariableFields } from '../../model-form/index.ts';
import classes from './Composer.module.css';
import { COUNT } from './CountField.tsx';
import { PersonaSlots } from './PersonaField.tsx';
import { PresetBar } from './PresetBar.tsx';
import type { Problems } from './use-problems.ts';
import { words } from './words.ts';

interface MoreFieldsProps {
  readonly id: string;
  readonly isOpen: boolean;
  readonly draft: Draft;
  readonly models: readonly ModelDto[];
  readonly model: ModelDto;
  readonly problems: Problems;
  readonly onChange: (part: Partial<Draft>) => void;
  readonly onPreset: (preset: PresetDto) => void;
  readonly onStartOver: () => void;
}

/** The presets, and all fields that the bar has no room for. */
export function MoreFields({ id, draft, models, model, problems, onChange, onPreset, onStartOver }: MoreFieldsProps) {
  const { check, fields } = problems;
  return (
    <div id={id} className={classes.more} role="group" aria-label={words.more}>
      <div className={classes.moreHead}>
        <PresetBar draft={draft} model={model} models={models} onChoose={onPreset} />
        {!isEmpty(draft) && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<Eraser size={15} aria-hidden />}
            onClick={onStartOver}
          >
            {words.startOver}
          </Button>
        )}
      </div>
      <VariableFields draft={draft} problems={fields} onChange={onChange} />
      {draft.pid !== null && <PersonaSlots pid={draft.pid} inputs={check.inputs} />}
      <ModelFields
        draft={draft}
        model={model}
        without={COUNT}
        resolved={check.inputsOfPersona}
        problems={fields}
        onChange={onChange}
      />
    </div>
  );
}

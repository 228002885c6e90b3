import { useMemo } from 'react';
import type { ModelDto } from '../api/index.ts';
import { costText, ModelEnd, ModelMark } from '../model-form/index.ts';
import { TickCards } from './TickCards.tsx';
import { words } from './words.ts';

interface ModelTicksProps {
  readonly models: readonly ModelDto[];
  readonly value: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (value: readonly string[]) => void;
}

/** The models that each prompt is given to. */
export function ModelTicks({ models, ...field }: ModelTicksProps) {
  const ticks = useMemo(
    () =>
      models.map((model) => ({
        id: model.id,
        name: model.title,
        note: costText(model),
        picture: <ModelMark model={model} />,
      })),
    [models],
  );
  return (
    <div>
      <TickCards label={words.models} search={words.searchModels} ticks={ticks} {...field} />
      {field.value.map((model) => (
        <ModelEnd key={model} model={model} models={models} />
      ))}
    </div>
  );
}

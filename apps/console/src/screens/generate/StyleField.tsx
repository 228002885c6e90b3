import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Brush } from 'lucide-react';
import { type ModelDto, personasStylesListOptions } from '../../api/index.ts';
import type { Draft } from '../../model-form/draft.ts';
import { type StyleChoice, styleChoiceOf, withStyleChoice } from '../../model-form/index.ts';
import { storedPicture, MediaThumb } from '../../ui/index.ts';
import classes from './PersonaField.module.css';
import { words } from './words.ts';

interface StyleFieldProps {
  readonly draft: Draft & { readonly pid: number };
  readonly model: ModelDto;
  readonly error: string | undefined;
  readonly onChange: (part: Partial<Draft>) => void;
}

const text = words.style;

/** The style to use, where the persona has a trained one that fits the model. */
export function StyleField({ draft, model, error, onChange }: StyleFieldProps) {
  const { data } = useQuery(personasStylesListOptions({ path: { persona_id: draft.pid } }));
  const fitting = data?.styles.filter((style) => style.state === 'ready' && style.family === model.family) ?? [];
  if (fitting.length === 0) return null;
  const active = fitting.find(({ is_active: isActive }) => isActive)?.id ?? null;
  const takesPicture = model.inputs.style !== 'none';
  const chosen = styleChoiceOf(draft, active, takesPicture);
  const preview = fitting.find(({ id }) => id === chosen)?.preview;
  const choices: readonly (readonly [StyleChoice, string])[] = [
    ...fitting.map(({ id, name }) => [id, id === active ? text.ofPersona(name) : name] as const),
    ...(takesPicture ? ([['picture', text.onlyPicture]] as const) : []),
    ['none', text.none],
  ];
  return (
    <Select
      size="md"
      w={180}
      leftSection={
        preview ? (
          <MediaThumb media={storedPicture(preview)} alt="" width={28} className={classes.face} />
        ) : (
          <Brush size={17} aria-hidden />
        )
      }
      aria-label={text.field}
      allowDeselect={false}
      error={error}
      data={choices.map(([value, label]) => ({ value: String(value), label }))}
      value={String(chosen)}
      onChange={(text) => {
        const choice = choices.find(([value]) => String(value) === text)?.[0];
        if (choice !== undefined) onChange(withStyleChoice(draft, choice, active));
      }}
    />
  );
}

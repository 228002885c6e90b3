import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Brush } from 'lucide-react';
import { type ModelDto, personasGetOptions, personasStylesListOptions, type StyleDto } from '../../api/index.ts';
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

/** The style to use, where the persona has a style picture that the model takes, or a trained style that fits it. */
export function StyleField({ draft, model, error, onChange }: StyleFieldProps) {
  const path = { persona_id: draft.pid };
  const { data } = useQuery(personasStylesListOptions({ path }));
  const persona = useQuery(personasGetOptions({ path })).data?.persona;
  const takesTrained = model.inputs.style_weights !== 'none';
  const isFitting = (style: StyleDto) => takesTrained && style.state === 'ready' && style.family === model.family;
  const fitting = data?.styles.filter(isFitting) ?? [];
  const picture = model.inputs.style === 'none' ? null : (persona?.slots.find(({ slot }) => slot === 1)?.photo ?? null);
  if (fitting.length === 0 && picture === null) return null;
  const active = fitting.find(({ is_active: isActive }) => isActive)?.id ?? null;
  const takesPicture = picture !== null;
  const chosen = styleChoiceOf(draft, active, takesPicture);
  const preview = chosen === 'picture' ? picture : fitting.find(({ id }) => id === chosen)?.preview;
  const choices: readonly (readonly [StyleChoice, string])[] = [
    ...fitting.map(({ id, name }) => [id, id === active ? text.ofPersona(name) : name] as const),
    ...(takesPicture ? ([['picture', fitting.length > 0 ? text.onlyPicture : text.picture]] as const) : []),
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

import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Brush } from 'lucide-react';
import { personasStylesListOptions } from '../../api/index.ts';
import type { Draft } from '../../model-form/draft.ts';
import { Picture } from '../../ui/index.ts';
import { words } from '../../words.ts';
import classes from './PersonaField.module.css';

interface StyleFieldProps {
  readonly pid: number;
  /** Of the model. */
  readonly family: string | null;
  readonly value: Draft['trainedStyle'];
  readonly error: string | undefined;
  readonly onChange: (value: Draft['trainedStyle']) => void;
}

const said = words.styles;
const NONE = 'none';

/** The trained style to use, where the persona has one that fits the model. */
export function StyleField({ pid, family, value, error, onChange }: StyleFieldProps) {
  const { data } = useQuery(personasStylesListOptions({ path: { persona_id: pid } }));
  const fitting = data?.styles.filter((style) => style.state === 'ready' && style.family === family) ?? [];
  if (fitting.length === 0) return null;
  const active = fitting.find(({ is_active: isActive }) => isActive);
  const shown = value === NONE ? undefined : (fitting.find(({ id }) => id === value) ?? active);
  const choose = (chosen: string | null) =>
    onChange(chosen === NONE ? NONE : chosen === null || Number(chosen) === active?.id ? null : Number(chosen));
  return (
    <Select
      size="md"
      w={140}
      leftSection={
        shown?.preview ? (
          <Picture src={shown.preview} alt="" className={classes.face} />
        ) : (
          <Brush size={17} aria-hidden />
        )
      }
      aria-label={said.field}
      allowDeselect={false}
      error={error}
      data={[
        ...fitting.map(({ id, name }) => ({
          value: String(id),
          label: id === active?.id ? said.ofPersona(name) : name,
        })),
        { value: NONE, label: said.none },
      ]}
      value={String(value ?? active?.id ?? NONE)}
      onChange={choose}
    />
  );
}

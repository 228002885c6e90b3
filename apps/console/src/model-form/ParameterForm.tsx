import {
  Group,
  Input,
  JsonInput,
  NumberInput,
  SegmentedControl,
  Select,
  Slider,
  Switch,
  Textarea,
} from '@mantine/core';
import { Dices } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { IconButton } from '../ui/index.ts';
import type { Draft } from './draft.ts';
import type { ParameterField } from './parameter-fields.ts';
import classes from './ParameterForm.module.css';
import { words } from './words.ts';

interface ParameterFormProps {
  readonly fields: readonly ParameterField[];
  readonly values: Draft['parameters'];
  readonly problems: Readonly<Record<string, string>>;
  /** Undefined restores the default. */
  readonly onChange: (name: string, value: unknown) => void;
}

/** The parameters of a model, each with the field that fits its schema. */
export function ParameterForm({ fields, values, problems, onChange }: ParameterFormProps) {
  return (
    <div className={classes.fields}>
      {fields.map((field) => {
        const Field = FIELDS[field.kind] as (props: FieldProps) => ReactNode;
        return (
          <div key={field.name} className={classes[sizeOf(field)]}>
            <Field
              field={field}
              value={values[field.name]}
              error={problems[field.name]}
              onChange={(value) => onChange(field.name, value === '' ? undefined : value)}
            />
          </div>
        );
      })}
    </div>
  );
}

/** Numbers and switches take half of the width. */
function sizeOf({ kind }: ParameterField): 'half' | 'whole' {
  return kind === 'number' || kind === 'toggle' ? 'half' : 'whole';
}

type FieldOf<K> = FieldProps<Extract<ParameterField, { kind: K }>>;

const FIELDS: { readonly [K in ParameterField['kind']]: (props: FieldOf<K>) => ReactNode } = {
  choice: ChoiceField,
  slider: SliderField,
  number: NumberField,
  seed: SeedInput,
  toggle: ToggleField,
  text: TextField,
  json: JsonField,
};

/** Maximum characters of choices that are shown as buttons. */
const BUTTONS_HOLD = 30;

function ChoiceField({ field, value, error, onChange }: FieldOf<'choice'>) {
  const { label, description, choices, byDefault } = field;
  const id = useId();
  const texts = choices.map(String);
  const chosen = String(value ?? byDefault ?? '');
  const choose = (text: string | null) => onChange(choices.find((choice) => String(choice) === text));
  if (choices.length > 5 || texts.join('').length > BUTTONS_HOLD || !texts.includes(chosen)) {
    const select = { data: texts, value: chosen || null, onChange: choose, clearable: byDefault === undefined };
    return <Select label={label} description={description} error={error} placeholder={words.byDefault} {...select} />;
  }
  return (
    <Input.Wrapper label={label} labelElement="div" labelProps={{ id }} description={description} error={error}>
      <SegmentedControl fullWidth mt={4} aria-labelledby={id} data={texts} value={chosen} onChange={choose} />
    </Input.Wrapper>
  );
}

function SliderField({ field, value, error, onChange }: FieldOf<'slider'>) {
  const { label, description, min, max, step, byDefault } = field;
  const number = typeof value === 'number' ? value : typeof byDefault === 'number' ? byDefault : min;
  const limits = { min, max, step };
  return (
    <Input.Wrapper label={label} labelElement="div" description={description} error={error}>
      <Group wrap="nowrap" gap={16} mt={6} ps={8}>
        <Slider flex={1} label={null} thumbLabel={label} value={number} onChange={onChange} {...limits} />
        <NumberInput
          w={86}
          size="xs"
          aria-label={label}
          error={error !== undefined}
          clampBehavior="none"
          placeholder={byDefault === undefined ? words.auto : undefined}
          value={typeof value === 'number' || byDefault !== undefined ? number : ''}
          onChange={onChange}
          {...limits}
        />
      </Group>
    </Input.Wrapper>
  );
}

function NumberField({ field, value, error, onChange }: FieldOf<'number'>) {
  const { label, description, min, max, step, byDefault } = field;
  return (
    <NumberInput
      label={label}
      description={description}
      error={error}
      // The service reports numbers outside the limits; the page does not change them.
      clampBehavior="none"
      placeholder={byDefault === undefined ? words.auto : String(byDefault)}
      value={typeof value === 'number' ? value : ''}
      onChange={onChange}
      {...{ min, max, step }}
    />
  );
}

function ToggleField({ field, value, error, onChange }: FieldOf<'toggle'>) {
  const { label, description, byDefault } = field;
  const change = (isOn: boolean) => onChange(isOn);
  const text = { label, description, error };
  return <Switch {...text} checked={Boolean(value ?? byDefault)} onChange={(event) => change(event.target.checked)} />;
}

function TextField({ field, value, error, onChange }: FieldOf<'text'>) {
  const { label, description, maxLength, byDefault } = field;
  return (
    <Textarea
      autosize
      minRows={1}
      maxRows={6}
      dir="auto"
      label={label}
      description={description}
      error={error}
      maxLength={maxLength}
      placeholder={typeof byDefault === 'string' ? byDefault : undefined}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** The JSON is sent as text: the service parses and validates it. */
function JsonField({ field, value, error, onChange }: FieldProps) {
  const { label, description, byDefault } = field;
  const shown = typeof value === 'string' || value === undefined ? value : JSON.stringify(value, null, 2);
  return (
    <JsonInput
      autosize
      minRows={2}
      maxRows={10}
      label={label}
      description={description ?? words.asJson}
      error={error}
      placeholder={byDefault === undefined ? undefined : JSON.stringify(byDefault)}
      value={shown ?? ''}
      onChange={onChange}
    />
  );
}

/** A seed: chosen by the service, typed, or drawn at random. */
function SeedInput({ field, value, error, onChange }: FieldProps) {
  return (
    <NumberInput
      hideControls
      label={field.label}
      description={field.description}
      error={error}
      clampBehavior="none"
      placeholder={words.seedByService}
      value={typeof value === 'number' ? value : ''}
      onChange={onChange}
      rightSection={
        <IconButton
          icon={Dices}
          iconSize={18}
          label={words.drawSeed}
          tooltip
          onClick={() => onChange(Math.floor(Math.random() * 1_000_000))}
        />
      }
    />
  );
}

interface FieldProps<F = ParameterField> {
  readonly field: F;
  readonly value: unknown;
  readonly error: string | undefined;
  /** Undefined restores the default. */
  readonly onChange: (value: unknown) => void;
}

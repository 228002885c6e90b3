import { Box, Code, Group, NumberInput, Select, SimpleGrid, TagsInput, Text, TextInput, Tooltip } from '@mantine/core';
import { X } from 'lucide-react';
import { settingLabel } from '../../../text.ts';
import { IconButton } from '../../../ui/index.ts';
import classes from './Catalogue.module.css';
import type { Parameter } from './entry.ts';
import { words } from './words.ts';

interface ParameterEditorProps {
  readonly name: string;
  readonly parameter: Parameter;
  readonly problem: string | undefined;
  readonly onChange: (parameter: Parameter) => void;
  readonly onRemove: () => void;
}

const text = words.entry;

/** A setting that callers may send: its default, its limits or choices, and its explanation. */
export function ParameterEditor({ name, parameter, problem, onChange, onRemove }: ParameterEditorProps) {
  const { type, minimum, maximum, description, enum: choices } = parameter;
  const label = settingLabel(name);
  const isNumber = type === 'integer' || type === 'number';
  const change = (part: Partial<Parameter>) => {
    const all = Object.entries({ ...parameter, ...part });
    onChange(Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== '')));
  };
  const read = (text: string) => (isNumber ? Number(text) : text);
  const limit = (label: string, field: 'minimum' | 'maximum', value: number | undefined) => (
    <NumberInput
      size="xs"
      label={label}
      hideControls
      value={value ?? ''}
      onChange={(next) => change({ [field]: next === '' ? undefined : Number(next) })}
    />
  );
  return (
    <Box p={12} bd="1px solid var(--line)" bdrs="md" role="group" aria-label={label}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" fw={600} className={classes.name}>
          {label} {label.toLowerCase() !== name && <Code fw={400}>{name}</Code>}
        </Text>
        <Tooltip label={text.remove(label)}>
          <IconButton icon={X} iconSize={15} label={text.remove(label)} size="sm" onClick={onRemove} />
        </Tooltip>
      </Group>
      <SimpleGrid cols={isNumber && !choices ? 3 : 2} spacing="xs" mt={6}>
        <DefaultInput parameter={parameter} onChange={(value) => change({ default: value })} />
        {isNumber && !choices && (
          <>
            {limit(text.minimum, 'minimum', minimum)}
            {limit(text.maximum, 'maximum', maximum)}
          </>
        )}
        {Array.isArray(choices) && (
          <TagsInput
            size="xs"
            label={text.choices}
            value={choices.map(String)}
            onChange={(next) => change({ enum: next.length === 0 ? undefined : next.map(read) })}
          />
        )}
      </SimpleGrid>
      <TextInput
        mt={6}
        size="xs"
        dir="auto"
        label={text.text}
        error={problem}
        value={description ?? ''}
        onChange={(event) => change({ description: event.target.value })}
      />
    </Box>
  );
}

interface DefaultInputProps {
  readonly parameter: Parameter;
  readonly onChange: (value: unknown) => void;
}

function DefaultInput({ parameter, onChange }: DefaultInputProps) {
  const { type, default: value, enum: choices } = parameter;
  const label = text.byDefault;
  if (type === 'boolean' || Array.isArray(choices)) {
    const values: readonly unknown[] = Array.isArray(choices) ? choices : [true, false];
    const textOf = (each: unknown) => (each === true ? text.yes : each === false ? text.no : String(each));
    return (
      <Select
        size="xs"
        clearable
        label={label}
        data={[...new Set(values.map(textOf))]}
        value={value === undefined ? null : textOf(value)}
        onChange={(text) => onChange(values.find((each) => textOf(each) === text))}
      />
    );
  }
  if (type === 'integer' || type === 'number') {
    const shown = typeof value === 'number' ? value : '';
    const change = (next: string | number) => onChange(next === '' ? undefined : Number(next));
    return <NumberInput size="xs" hideControls label={label} value={shown} onChange={change} />;
  }
  if (type !== 'string') return <TextInput size="xs" readOnly label={label} value={JSON.stringify(value) ?? ''} />;
  const shown = typeof value === 'string' ? value : '';
  return (
    <TextInput size="xs" dir="auto" label={label} value={shown} onChange={(event) => onChange(event.target.value)} />
  );
}

import {
  Group,
  Input,
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { ChangeEvent } from 'react';
import { modelFormWords } from '../../../model-form/index.ts';
import { fullTime, uiWords } from '../../../ui/index.ts';
import { useRead } from '../operator-queries.ts';
import { CostField } from './CostField.tsx';
import { type Entry, type EntryProblems, INPUTS, type Kind, KINDS, problemAt, withoutParameter } from './entry.ts';
import { EntryJson } from './EntryJson.tsx';
import { Fold } from './Fold.tsx';
import { ParameterEditor } from './ParameterEditor.tsx';
import { TasksField } from './Questions.tsx';
import { words } from './words.ts';

interface EntryFormProps {
  readonly entry: Entry;
  readonly problems: EntryProblems;
  /** The fields that are asked elsewhere. */
  readonly without?: readonly string[];
  readonly onChange: (change: Partial<Entry>) => void;
  /** Replaces the whole entry. */
  readonly onReplace: (entry: Entry) => void;
}

const text = words.entry;
/** The fields of an entry that have a place in the form for their problems. */
export const ENTRY_FIELDS = [
  ...['title', 'description', 'kind', 'tasks', 'cost', 'time_limit', 'family', 'parameters'],
  ...['retires_at', 'successor', 'aliases'],
];

/** The entry of a model, field by field; what has no field stands in its JSON. */
export function EntryForm({ entry, problems, without = [], onChange, onReplace }: EntryFormProps) {
  const problemOf = (field: string) => problemAt(problems, field);
  const part = { entry, problemOf, onChange };
  return (
    <Stack gap="md">
      <TextInput label={text.title} dir="auto" maxLength={200} {...typed('title', part)} />
      <Textarea autosize minRows={1} maxRows={5} dir="auto" label={text.description} {...typed('description', part)} />
      {!without.includes('cost') && (
        <CostField entry={entry} problem={problemOf('cost')} onChange={(cost) => onChange({ cost })} />
      )}
      {!without.includes('tasks') && (
        <TasksField
          label={text.tasks}
          value={entry.tasks ?? []}
          problem={problemOf('tasks')}
          onChange={(tasks) => onChange({ tasks: tasks.length === 0 ? undefined : tasks })}
        />
      )}
      <Pictures entry={entry} onChange={onChange} />
      <Parameters {...part} onReplace={onReplace} />
      <Limits {...part} />
      <Life {...part} />
      <Fold label={text.json}>
        <EntryJson entry={entry} onReplace={onReplace} />
      </Fold>
    </Stack>
  );
}

/** Switches of the pictures that the entry takes: whether each is required. */
function Pictures({ entry, onChange }: Pick<EntryFormProps, 'entry' | 'onChange'>) {
  const inputs = entry.inputs ?? {};
  const taken = INPUTS.filter((input) => (inputs[input] ?? 'none') !== 'none');
  if (taken.length === 0) return null;
  return (
    <Input.Wrapper label={text.pictures} labelElement="div">
      {taken.map((input) => (
        <Group key={input} justify="space-between" wrap="nowrap" gap={12} py={6}>
          <Text size="sm">{modelFormWords.input.names[input]}</Text>
          <SegmentedControl
            size="xs"
            aria-label={modelFormWords.input.names[input]}
            data={[
              { value: 'optional', label: text.needs.optional },
              { value: 'required', label: text.needs.required },
            ]}
            value={String(inputs[input])}
            onChange={(need) => onChange({ inputs: { ...inputs, [input]: need } })}
          />
        </Group>
      ))}
    </Input.Wrapper>
  );
}

interface PartProps extends Pick<EntryFormProps, 'entry' | 'onChange'> {
  readonly problemOf: (field: string) => string | undefined;
}

function Parameters({ entry, problemOf, onChange, onReplace }: PartProps & Pick<EntryFormProps, 'onReplace'>) {
  const parameters = Object.entries(entry.parameters ?? {});
  if (parameters.length === 0) return null;
  return (
    <Input.Wrapper label={text.parameters} labelElement="div" description={text.parametersHint}>
      <Stack gap={10} mt={8}>
        {parameters.map(([name, parameter]) => (
          <ParameterEditor
            key={name}
            name={name}
            parameter={parameter}
            problem={problemOf(`parameters.${name}`)}
            onChange={(next) => onChange({ parameters: { ...entry.parameters, [name]: next } })}
            onRemove={() => onReplace(withoutParameter(entry, name))}
          />
        ))}
      </Stack>
    </Input.Wrapper>
  );
}

/** The props of an input for a text of the entry. */
function typed(field: 'title' | 'description' | 'family', { entry, problemOf, onChange }: PartProps) {
  return {
    error: problemOf(field),
    value: entry[field] ?? '',
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange({ [field]: target.value }),
  };
}

/** The kind of what the model makes, how long it may take, and the family that styles belong to. */
function Limits(part: PartProps) {
  const { entry, problemOf, onChange } = part;
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
      <Select
        label={text.kind}
        allowDeselect={false}
        data={KINDS.map((value) => ({ value, label: uiWords.generation.kinds[value] }))}
        error={problemOf('kind')}
        value={entry.kind ?? null}
        onChange={(kind) => onChange({ kind: kind as Kind })}
      />
      <NumberInput
        label={text.timeLimit}
        min={1}
        allowDecimal={false}
        placeholder={text.timeLimitHint}
        error={problemOf('time_limit')}
        value={entry.time_limit ?? ''}
        onChange={(value) => onChange({ time_limit: value === '' ? undefined : Number(value) })}
      />
      <TextInput label={text.family} placeholder={text.familyHint} spellCheck={false} {...typed('family', part)} />
    </SimpleGrid>
  );
}

/** The end of the model, the model that takes its calls then, and its further names. */
function Life({ entry, problemOf, onChange }: PartProps) {
  const { data } = useRead('models');
  const { kind } = entry;
  const successor = typeof entry.successor === 'string' ? entry.successor : null;
  const aliases = Array.isArray(entry.aliases) ? entry.aliases.map(String) : [];
  const problemsOfAliases = aliases.flatMap((alias, index) => {
    const problem = problemOf(`aliases.${index}`);
    return problem === undefined ? [] : [`${alias} ${problem}`];
  });
  const end = String(entry.retires_at ?? '');
  const others = data?.models.flatMap(({ id, model }) => (model?.kind === kind ? [id] : [])) ?? [];
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          type="date"
          label={text.retiresAt}
          description={end.length > 10 ? text.retiresAtTime(fullTime(new Date(end))) : text.retiresAtHint}
          error={problemOf('retires_at')}
          value={end.slice(0, 10)}
          onChange={(event) => onChange({ retires_at: event.target.value })}
        />
        <Select
          searchable
          clearable
          label={text.successor}
          description={text.successorHint}
          data={[...new Set([...others, ...(successor === null ? [] : [successor])])]}
          error={problemOf('successor')}
          value={successor}
          onChange={(next) => onChange({ successor: next ?? undefined })}
        />
      </SimpleGrid>
      <TagsInput
        clearable
        label={text.aliases}
        description={text.aliasesHint}
        error={problemsOfAliases.join('; ') || problemOf('aliases')}
        value={aliases}
        onChange={(next) => onChange({ aliases: next.length === 0 ? undefined : next })}
      />
    </>
  );
}

import { Stack, TextInput } from '@mantine/core';
import { type Draft, VARIABLE } from './draft.ts';
import { variablesOf } from './variables.ts';
import { words } from './words.ts';

interface VariableFieldsProps {
  readonly draft: Draft;
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (part: Partial<Draft>) => void;
}

/** A field for each variable of the prompt. */
export function VariableFields({ draft, problems, onChange }: VariableFieldsProps) {
  const { prompt, variables } = draft;
  const names = variables === null ? [] : variablesOf(prompt);
  if (names.length === 0) return null;
  return (
    <Stack gap="xs" role="group" aria-label={words.variables}>
      {names.map((name) => (
        <TextInput
          key={name}
          label={name}
          dir="auto"
          maxLength={2_000}
          value={variables?.[name] ?? ''}
          error={problems[VARIABLE + name]}
          onChange={(event) => onChange({ variables: { ...variables, [name]: event.target.value } })}
        />
      ))}
    </Stack>
  );
}

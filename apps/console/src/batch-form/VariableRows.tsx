import { Input, Stack, TagsInput } from '@mantine/core';
import { type DraftProps, splitTexts, variableNames } from './batch-draft.ts';
import { words } from './words.ts';

interface VariableRowsProps extends DraftProps {
  readonly problem: string | undefined;
}

/** Separates values that are pasted or typed. */
export const SPLIT = [',', '\n'];

/** A row of values for each variable of the prompts. */
export function VariableRows({ draft, problem, onChange }: VariableRowsProps) {
  const names = variableNames(draft);
  if (names.length === 0) return null;
  return (
    <Stack gap="xs" role="group" aria-label={words.variables}>
      {names.map((name) => {
        const values = draft.variables[name] ?? [];
        return (
          <TagsInput
            key={name}
            label={`{${name}}`}
            dir="auto"
            splitChars={SPLIT}
            maxLength={2_000}
            placeholder={values.length === 0 ? words.addValue : undefined}
            error={problem !== undefined && values.length === 0}
            value={[...values]}
            onChange={(next) => onChange({ variables: { ...draft.variables, [name]: splitTexts(next) } })}
          />
        );
      })}
      {problem !== undefined && <Input.Error role="alert">{problem}</Input.Error>}
    </Stack>
  );
}

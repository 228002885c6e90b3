import { Stack, TagsInput, Text } from '@mantine/core';
import type { ModelDto } from '../api/index.ts';
import { fieldLabels } from '../model-form/index.ts';
import { settingLabel } from '../text.ts';
import {
  type DraftProps,
  settingNames,
  splitTexts,
  textOfValue,
  valuesOfTexts,
  withoutParameter,
} from './batch-draft.ts';
import type { BatchProblems } from './batch-problems.ts';
import { SPLIT } from './VariableRows.tsx';
import { words } from './words.ts';

interface SettingRowsProps extends DraftProps {
  /** The ticked models. */
  readonly models: readonly ModelDto[];
  readonly problems: BatchProblems['fields'];
}

/** A row of values for each setting that the form of a single generation had. Without values, a setting has its default. */
export function SettingRows({ draft, models, problems, onChange }: SettingRowsProps) {
  const names = settingNames(draft);
  if (names.length === 0) return null;
  const labels: Readonly<Record<string, string>> = Object.assign({}, ...models.map(fieldLabels));
  const change = (name: string, typed: readonly string[]) => {
    const before = (draft.parameters[name] ?? []).map(textOfValue);
    // A value that was there may have commas.
    const texts = typed.flatMap((text) => (before.includes(text) ? [text] : splitTexts([text])));
    if (texts.length === 0) return onChange(withoutParameter(draft, name));
    const values = valuesOfTexts(texts, name, draft.parameters[name] ?? [], models);
    onChange({ parameters: { ...draft.parameters, [name]: values } });
  };
  return (
    <Stack gap="xs" role="group" aria-label={words.settings}>
      <Text fw={600} size="sm">
        {words.settings}
      </Text>
      {names.map((name) => (
        <TagsInput
          key={name}
          label={labels[name] ?? settingLabel(name)}
          splitChars={SPLIT}
          error={problems[`parameters.${name}`]}
          value={(draft.parameters[name] ?? []).map(textOfValue)}
          onChange={(texts) => change(name, texts)}
        />
      ))}
    </Stack>
  );
}

import { Input, NumberInput, SegmentedControl, Stack, TagsInput } from '@mantine/core';
import { words } from '../words.ts';
import { type BatchDraft, splitTexts } from './batch-draft.ts';
import { SPLIT } from './VariableRows.tsx';

interface SeedsFieldProps {
  readonly draft: BatchDraft;
  readonly error: string | undefined;
  readonly onChange: (part: Partial<BatchDraft>) => void;
}

const said = words.batches.form;

/** How many seeds each combination gets, or which. */
export function SeedsField({ draft, error, onChange }: SeedsFieldProps) {
  const { seedsBy, seedsCount, seeds } = draft;
  return (
    <Stack gap={6} role="group" aria-label={said.seeds}>
      <Input.Label component="div">{said.seeds}</Input.Label>
      <SegmentedControl
        aria-label={said.seeds}
        style={{ alignSelf: 'flex-start' }}
        value={seedsBy}
        data={[
          { value: 'count', label: said.seedsBy.count },
          { value: 'list', label: said.seedsBy.list },
        ]}
        onChange={(by) => onChange({ seedsBy: by as BatchDraft['seedsBy'] })}
      />
      {seedsBy === 'count' ? (
        <NumberInput
          aria-label={said.seedsCount}
          description={said.seedsCountHint}
          inputWrapperOrder={['input', 'description', 'error']}
          allowDecimal={false}
          // The service reports numbers outside the limits; the page does not change them.
          clampBehavior="none"
          error={error}
          min={1}
          value={seedsCount ?? ''}
          onChange={(value) => onChange({ seedsCount: typeof value === 'number' ? value : null })}
        />
      ) : (
        <TagsInput
          aria-label={said.seedsList}
          splitChars={SPLIT}
          placeholder={seeds.length === 0 ? said.addValue : undefined}
          error={error}
          value={[...seeds]}
          onChange={(next) => onChange({ seeds: splitTexts(next) })}
        />
      )}
    </Stack>
  );
}

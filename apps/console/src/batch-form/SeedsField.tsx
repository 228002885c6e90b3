import { Input, NumberInput, SegmentedControl, Stack, TagsInput } from '@mantine/core';
import { type BatchDraft, splitTexts } from './batch-draft.ts';
import { SPLIT } from './VariableRows.tsx';
import { words } from './words.ts';

interface SeedsFieldProps {
  readonly draft: BatchDraft;
  readonly error: string | undefined;
  readonly onChange: (part: Partial<BatchDraft>) => void;
}

/** How many seeds each combination gets, or which. */
export function SeedsField({ draft, error, onChange }: SeedsFieldProps) {
  const { seedsBy, seedsCount, seeds } = draft;
  return (
    <Stack gap={6} role="group" aria-label={words.seeds}>
      <Input.Label component="div">{words.seeds}</Input.Label>
      <SegmentedControl
        aria-label={words.seeds}
        style={{ alignSelf: 'flex-start' }}
        value={seedsBy}
        data={[
          { value: 'count', label: words.seedsBy.count },
          { value: 'list', label: words.seedsBy.list },
        ]}
        onChange={(by) => onChange({ seedsBy: by as BatchDraft['seedsBy'] })}
      />
      {seedsBy === 'count' ? (
        <NumberInput
          aria-label={words.seedsCount}
          description={words.seedsCountHint}
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
          aria-label={words.seedsList}
          splitChars={SPLIT}
          placeholder={seeds.length === 0 ? words.addValue : undefined}
          error={error}
          value={[...seeds]}
          onChange={(next) => onChange({ seeds: splitTexts(next) })}
        />
      )}
    </Stack>
  );
}

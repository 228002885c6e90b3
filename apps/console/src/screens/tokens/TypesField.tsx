import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import { uiWords } from '../../ui/index.ts';
import { TYPE_GROUPS } from './events.ts';

interface TypesFieldProps extends MultiSelectProps {
  /** Shown when no type is chosen. */
  readonly all: string;
}

/** Types of events, by their subjects. */
export function TypesField({ all, ...field }: TypesFieldProps) {
  return (
    <MultiSelect
      searchable
      clearable
      clearButtonProps={{ 'aria-label': all }}
      placeholder={field.value?.length ? undefined : all}
      nothingFoundMessage={uiWords.filters.nothing}
      data={TYPE_GROUPS}
      {...field}
    />
  );
}

import { Group, Select } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from '../../ui/index.ts';
import { monthName } from './formats.ts';
import { addMonths, type Month } from './usage.ts';
import { words } from './words.ts';

interface MonthChooserProps {
  readonly month: Month;
  readonly current: Month;
  readonly onChange: (month: Month) => void;
}

const LISTED = 12;

export function MonthChooser({ month, current, onChange }: MonthChooserProps) {
  const recent = Array.from({ length: LISTED }, (_, steps) => addMonths(current, -steps));
  const months = recent.includes(month) ? recent : [...recent, month];
  return (
    <Group gap={4} wrap="nowrap">
      <IconButton
        icon={ChevronLeft}
        iconSize={18}
        label={words.earlier}
        onClick={() => onChange(addMonths(month, -1))}
      />
      <Select
        aria-label={words.month}
        w={170}
        allowDeselect={false}
        data={months.map((value) => ({ value, label: monthName(value) }))}
        value={month}
        onChange={(value) => value && onChange(value)}
      />
      <IconButton
        icon={ChevronRight}
        iconSize={18}
        label={words.later}
        disabled={month === current}
        onClick={() => onChange(addMonths(month, 1))}
      />
    </Group>
  );
}

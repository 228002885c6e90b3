import { TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import classes from './Operator.module.css';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function SearchField({ label, value, onChange }: SearchFieldProps) {
  return (
    <TextInput
      className={classes.search}
      aria-label={label}
      placeholder={label}
      leftSection={<Search size={16} aria-hidden />}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

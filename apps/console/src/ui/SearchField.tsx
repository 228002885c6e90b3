import { CloseButton, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useRef } from 'react';
import { words } from './words.ts';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Searches the list of a screen. The key `/` focuses it. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useHotkeys([['/', () => field.current?.focus()]]);
  const clear = () => {
    onChange('');
    field.current?.focus();
  };
  return (
    <TextInput
      ref={field}
      type="search"
      dir="auto"
      w="100%"
      maw={420}
      mb="xs"
      aria-label={label}
      placeholder={label}
      leftSection={<Search size={16} aria-hidden />}
      rightSection={value && <CloseButton size="sm" aria-label={words.clearSearch} onClick={clear} />}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

import { Group, TextInput } from '@mantine/core';
import classes from './SecretField.module.css';
import { CopyButton } from './CopyButton.tsx';

interface SecretFieldProps {
  readonly label: string;
  readonly value: string;
  /** True if it is focused when it appears. */
  readonly isFocused?: boolean;
}

/** A secret to copy. Focus selects all of it. */
export function SecretField({ label, value, isFocused = false }: SecretFieldProps) {
  return (
    <Group gap="xs" align="flex-end">
      <TextInput
        readOnly
        autoFocus={isFocused}
        label={label}
        value={value}
        flex="1 1 220px"
        miw={0}
        classNames={{ input: classes.secret }}
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        onFocus={(event) => event.target.select()}
      />
      <CopyButton value={value} />
    </Group>
  );
}

import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { words } from './words.ts';

/** A field for a new password, with advice. */
export function NewPasswordInput(field: PasswordInputProps) {
  return <PasswordInput autoComplete="new-password" description={words.newPasswordHint} {...field} />;
}

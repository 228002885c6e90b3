import { PasswordInput } from '@mantine/core';
import { useMe } from '../../shell/index.ts';
import { Hint } from '../../ui/index.ts';
import { words } from './words.ts';

/** The field of the password, or what an account without one needs instead. */
export function ProofOfPassword({ field }: { readonly field: (name: 'password') => object }) {
  const { user } = useMe();
  if (user.has_password) return <PasswordInput autoComplete="current-password" {...field('password')} />;
  return <Hint>{words.freshLink}</Hint>;
}

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { CodeSample } from './CodeSample.tsx';
import { SecretField } from './SecretField.tsx';
import { words } from './words.ts';

const text = words.newToken;

interface NewSecretProps {
  /** Says that the secret is not shown again. */
  readonly what: string;
  readonly label: string;
  readonly secret: string;
  readonly onDone: () => void;
  /** How to use it. */
  readonly children?: ReactNode;
}

/** A new secret to copy, which is shown only here. */
export function NewSecret({ what, label, secret, onDone, children }: NewSecretProps) {
  return (
    <Stack gap="md">
      <Alert icon={<ShieldCheck aria-hidden />} role="status">
        {what}
      </Alert>
      <SecretField isFocused label={label} value={secret} />
      {children}
      <Group justify="flex-end">
        <Button onClick={onDone}>{text.done}</Button>
      </Group>
    </Stack>
  );
}

interface NewTokenProps extends Pick<NewSecretProps, 'onDone'> {
  readonly token: string;
  /** The arguments of curl, after the origin, for a first call with the token. */
  readonly call: string;
}

/** A new token, with a call that uses it. */
export function NewToken({ token, call, onDone }: NewTokenProps) {
  const code = `curl ${location.origin}${call} \\\n  -H "Authorization: Bearer $X12_TOKEN"`;
  return (
    <NewSecret what={text.what} label={text.secret} secret={token} onDone={onDone}>
      <div>
        <Text size="sm" mb={6}>
          {text.howToUse}
        </Text>
        <CodeSample label={text.howToUse} code={code} />
      </div>
    </NewSecret>
  );
}

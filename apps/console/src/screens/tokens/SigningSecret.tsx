import { Alert, Group, Stack, Text } from '@mantine/core';
import { Eye, EyeOff, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { ActionButton, ConfirmDialog, ErrorNotice, Hint, SecretField, Section } from '../../ui/index.ts';
import { useSigningSecret } from './delivery-queries.ts';
import { VerifyCalls } from './VerifyCalls.tsx';
import { words } from './words.ts';

/** The signing secret: shown on demand and replaced, with an explanation of how receivers verify calls. */
export function SigningSecret() {
  const { secret, isNew, isReading, error, show, hide, rotate } = useSigningSecret();
  const [isAsking, ask] = useState(false);
  const { rotateTitle, rotateAction, rotateWhat } = words;
  return (
    <Section title={words.signing}>
      <Stack gap="md">
        <Hint>{words.signingWhat}</Hint>
        {isNew && <Alert role="status">{words.rotated}</Alert>}
        {secret !== null && <SecretField label={words.signing} value={secret} />}
        {error && <ErrorNotice error={error} onRetry={show} />}
        <Group gap="xs">
          {secret === null ? (
            <ActionButton icon={Eye} label={words.show} variant="default" loading={isReading} onClick={show} />
          ) : (
            <ActionButton icon={EyeOff} label={words.hide} variant="default" onClick={hide} />
          )}
          <ActionButton icon={RefreshCw} label={words.rotate} variant="default" onClick={() => ask(true)} />
        </Group>
        <VerifyCalls of="call" />
      </Stack>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => ask(false)}
        title={rotateTitle}
        action={rotateAction}
        onConfirm={rotate}
      >
        {rotateWhat.map((sentence) => (
          <Text key={sentence} size="sm">
            {sentence}
          </Text>
        ))}
      </ConfirmDialog>
    </Section>
  );
}

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Eye, EyeOff, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog, ErrorNotice, SecretField, Section } from '../../ui/index.ts';
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
        <Text size="sm" c="dimmed">
          {words.signingWhat}
        </Text>
        {isNew && <Alert role="status">{words.rotated}</Alert>}
        {secret !== null && <SecretField label={words.signing} value={secret} />}
        {error && <ErrorNotice error={error} onRetry={show} />}
        <Group gap="xs">
          {secret === null ? (
            <Button variant="default" leftSection={<Eye size={16} aria-hidden />} loading={isReading} onClick={show}>
              {words.show}
            </Button>
          ) : (
            <Button variant="default" leftSection={<EyeOff size={16} aria-hidden />} onClick={hide}>
              {words.hide}
            </Button>
          )}
          <Button variant="default" leftSection={<RefreshCw size={16} aria-hidden />} onClick={() => ask(true)}>
            {words.rotate}
          </Button>
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

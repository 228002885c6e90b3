import { Alert, Group, Stack } from '@mantine/core';
import { Eye, EyeOff, RefreshCw } from 'lucide-react';
import { ActionButton, ErrorNotice, Hint, SecretField, Section, useRecordDialogs } from '../../ui/index.ts';
import { useSigningSecret } from './delivery-queries.ts';
import { VerifyCalls } from './VerifyCalls.tsx';
import { words } from './words.ts';

/** The signing secret: shown on demand and replaced, with an explanation of how receivers verify calls. */
export function SigningSecret() {
  const { secret, isNew, isReading, error, show, hide, rotate } = useSigningSecret();
  const { ask, dialogs } = useRecordDialogs();
  const { rotateTitle: title, rotateWhat: what, rotateAction: action } = words;
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
          <ActionButton
            icon={RefreshCw}
            label={words.rotate}
            variant="default"
            onClick={() => ask({ title, what, action }, rotate)}
          />
        </Group>
        <VerifyCalls of="call" />
      </Stack>
      {dialogs}
    </Section>
  );
}

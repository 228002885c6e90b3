import { Alert, Box, Center, PasswordInput, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ServerCog } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { X12Error } from '../../api/index.ts';
import { ActionButton, ErrorNotice, Hint, Page, Section } from '../../ui/index.ts';
import { checkToken } from './operator-access.ts';
import { words } from './words.ts';

interface OperatorLockProps {
  /** True if the service has stopped accepting the last token. */
  readonly isRefused: boolean;
  readonly onToken: (token: string) => void;
}

/** Asks for the operator token. The field has no name and the form no action, so the token can't get into the URL. */
export function OperatorLock({ isRefused, onToken }: OperatorLockProps) {
  const [token, setToken] = useState('');
  const check = useMutation({ mutationFn: checkToken, onSuccess: (_, checked) => onToken(checked), gcTime: 0 });
  const { error, isPending } = check;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check.mutate(token.trim());
  };
  return (
    <Page title={words.title}>
      <Center>
        <Box w="min(440px, 100%)" pt="4vh">
          <Section title={words.lockedTitle}>
            <form method="post" onSubmit={submit}>
              <Stack gap="md">
                <Hint>{words.lockedWhat}</Hint>
                {isRefused && error === null && <Alert role="status">{words.lockedAgain}</Alert>}
                <PasswordInput
                  label={words.token}
                  leftSection={<ServerCog size={16} aria-hidden />}
                  autoComplete="off"
                  value={token}
                  onChange={(event) => setToken(event.target.value)}
                  visibilityToggleButtonProps={{ 'aria-label': words.showToken, tabIndex: 0 }}
                  autoFocus
                />
                {error !== null && <Refusal error={error} />}
                <ActionButton type="submit" label={words.unlock} loading={isPending} disabled={token.trim() === ''} />
              </Stack>
            </form>
          </Section>
        </Box>
      </Center>
    </Page>
  );
}

/** The error, with advice about the setting ADMIN_TOKEN. */
function Refusal({ error }: { readonly error: unknown }) {
  const code = error instanceof X12Error ? error.code : '';
  const { wrongToken, wrongTokenHint, notOffered, notOfferedHint } = words;
  if (code === 'not_found') return <Alert role="alert" color="yellow" title={notOffered} children={notOfferedHint} />;
  if (code === 'unauthenticated') return <Alert color="red" title={wrongToken} children={wrongTokenHint} />;
  return <ErrorNotice error={error} />;
}

import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { x12 } from '../../api/index.ts';
import {
  forgetLinkSecret,
  InvitationSummary,
  isInvalidInvitation,
  isSignedOut,
  linkSecret,
  meQuery,
  shellWords,
  useInvitation,
  useInvitationPreview,
} from '../../shell/index.ts';
import { ErrorNotice, Loading, notifyDone } from '../../ui/index.ts';
import { Entrance } from './Entrance.tsx';
import { SignInOrUp } from './SignInOrUp.tsx';
import { words } from './words.ts';

const text = words.invitation;

/** Accepts or declines the invitation of the link that opened the page, after the invited user has signed in. */
export function InvitationPage() {
  const [secret] = useState(() => linkSecret('invitation'));
  const me = useQuery(meQuery);
  if (secret === null) return <Entrance title={words.reset.noSecret} hint={text.noSecretHint} children={null} />;
  if (me.data)
    return <InvitationResponse secret={secret} email={me.data.user.email} onSignedOut={() => void me.refetch()} />;
  if (me.isPending) return <Entrance title={text.title} children={<Loading rows={2} />} />;
  if (isSignedOut(me.error)) return <SignInFirst secret={secret} onDone={() => me.refetch()} />;
  return <Entrance title={text.title} children={<ErrorNotice error={me.error} onRetry={() => void me.refetch()} />} />;
}

const titleOf = (error: unknown) => (isInvalidInvitation(error) ? shellWords.invitation.invalid : text.title);

/** Says who invites to which team, before an account is asked for. */
function SignInFirst({ secret, onDone }: { readonly secret: string; readonly onDone: () => unknown }) {
  const invitation = useInvitationPreview(secret);
  return (
    <SignInOrUp
      title={titleOf(invitation.error)}
      hint={isInvalidInvitation(invitation.error) ? undefined : text.signInFirst}
      first="new"
      returnTo={`/console/invitation#${new URLSearchParams({ token: secret })}`}
      onDone={onDone}
    >
      <InvitationSummary query={invitation} />
    </SignInOrUp>
  );
}

interface InvitationResponseProps {
  readonly secret: string;
  readonly email: string;
  readonly onSignedOut: () => void;
}

function InvitationResponse({ secret, email, onSignedOut }: InvitationResponseProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const invitation = useInvitation(secret, email);
  const response = useMutation({
    mutationFn: (act: 'accept' | 'decline') => x12.team.invitations.respond({ token: secret, act }),
    onSuccess: async ({ state }) => {
      forgetLinkSecret();
      // The user now acts in another workspace.
      queries.clear();
      notifyDone(state === 'accepted' ? text.accepted : text.declined);
      await navigate({ to: '/' });
    },
  });
  const leave = useMutation({
    mutationFn: () => x12.auth.session.delete(),
    onSuccess: () => {
      queries.clear();
      onSignedOut();
    },
  });
  return (
    <Entrance title={titleOf(invitation.error)} hint={text.asWhom(email)}>
      <Stack>
        <InvitationSummary query={invitation} />
        {response.error && <ErrorNotice error={response.error} />}
        {leave.error && <ErrorNotice error={leave.error} />}
        {invitation.data && (
          <>
            <Text size="sm">{text.whatChanges}</Text>
            <Group grow>
              <Button size="md" loading={response.isPending} onClick={() => response.mutate('accept')}>
                {text.accept}
              </Button>
              <Button
                size="md"
                variant="default"
                disabled={response.isPending}
                onClick={() => response.mutate('decline')}
              >
                {text.decline}
              </Button>
            </Group>
          </>
        )}
        <Button variant="subtle" loading={leave.isPending} onClick={() => leave.mutate()}>
          {text.someoneElse}
        </Button>
      </Stack>
    </Entrance>
  );
}

import { Alert, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ReceivedInvitationDto } from '../api/index.ts';
import { ErrorNotice, Loading, PersonName, When } from '../ui/index.ts';
import classes from './InvitationSummary.module.css';
import { isInvalidInvitation, type useInvitation } from './invitation.ts';
import { words } from './words.ts';

const text = words.invitation;

/** The inviting person, the team and the role, or the error of the request. */
export function InvitationSummary({ query }: { readonly query: ReturnType<typeof useInvitation> }) {
  const { data, error, refetch } = query;
  if (data) return <Invitation {...data.invitation} />;
  if (error === null) return <Loading rows={1} height={220} />;
  if (isInvalidInvitation(error)) return <Alert role="alert" color="red" title={text.ask} children={text.askHint} />;
  return <ErrorNotice error={error} onRetry={() => void refetch()} />;
}

function Invitation({ invited_by: inviter, team, role, expires_at: expiresAt }: ReceivedInvitationDto) {
  return (
    <Stack component="dl" gap="md" p="md" m={0} className={classes.summary}>
      <Fact term={text.inviter}>
        <PersonName {...inviter} isWhole />
      </Fact>
      <Fact term={text.owner}>
        <PersonName {...team.owner} isWhole />
      </Fact>
      <Fact term={text.role}>
        <Text fw={560}>{words.roles[role]}</Text>
        <Text size="sm" c="dimmed">
          {words.rights[role]}
        </Text>
      </Fact>
      <Fact term={text.expires}>
        <When at={expiresAt} />
      </Fact>
    </Stack>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed" mb={4}>
        {term}
      </Text>
      <dd>{children}</dd>
    </div>
  );
}

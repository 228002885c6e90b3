import { Badge, Modal, SimpleGrid, Tabs, Text } from '@mantine/core';
import { UserPlus } from 'lucide-react';
import type { TeamInfoResponse } from '../../api/index.ts';
import { PrivateFiles } from '../../private-files/index.ts';
import { shellWords } from '../../shell/index.ts';
import { ActionButton, Hint, number, Page, QueryState, Section, useListState } from '../../ui/index.ts';
import { InvitationsTable } from './InvitationsTable.tsx';
import { InviteForm } from './InviteForm.tsx';
import { MembersPanel } from './MembersPanel.tsx';
import { useDirectory } from './team-queries.ts';
import { TeamFacts } from './TeamFacts.tsx';
import { words } from './words.ts';

const ABSENT = { tab: 'members', q: '', role: '', invite: false };

/** The team for its admins and owner: members and invitations. */
export function TeamDirectory({ info }: { readonly info: TeamInfoResponse }) {
  const [state, change] = useListState(ABSENT);
  const { members, invitations } = useDirectory();
  const openInvite = () => change({ invite: true }, { push: true });
  const closeInvite = () => change({ invite: false });
  const inviteButton = <ActionButton icon={UserPlus} label={words.invite} onClick={openInvite} />;
  return (
    <Page title={words.title} actions={inviteButton}>
      <TeamFacts info={info} />
      <Section>
        <Tabs
          value={state.tab === 'invitations' ? state.tab : ABSENT.tab}
          onChange={(tab) => change({ tab: tab ?? ABSENT.tab })}
          keepMounted={false}
        >
          <Tabs.List mb="md">
            <Tab name="members" count={members.data?.members.length} />
            <Tab name="invitations" count={invitations.data?.invitations.length} />
          </Tabs.List>
          <Tabs.Panel value="members">
            <QueryState query={members} rows={6} height={56} />
            {members.data && (
              <MembersPanel
                members={members.data.members}
                invitations={invitations.data?.invitations ?? []}
                info={info}
                filter={state}
                onFilter={change}
                inviteButton={inviteButton}
              />
            )}
          </Tabs.Panel>
          <Tabs.Panel value="invitations">
            <QueryState query={invitations} rows={6} height={56} />
            {invitations.data && <InvitationsTable invitations={invitations.data.invitations} action={inviteButton} />}
          </Tabs.Panel>
        </Tabs>
      </Section>
      <PrivateFiles />
      <WhatRolesMay />
      <Modal opened={state.invite} onClose={closeInvite} title={words.inviteTitle}>
        <InviteForm onDone={closeInvite} />
      </Modal>
    </Page>
  );
}

function Tab({ name, count }: { readonly name: keyof typeof words.tabs; readonly count: number | undefined }) {
  const badge = count ? (
    <Badge size="sm" color="gray">
      {number(count)}
    </Badge>
  ) : null;
  return (
    <Tabs.Tab value={name} rightSection={badge}>
      {words.tabs[name]}
    </Tabs.Tab>
  );
}

const ROLES = ['owner', 'admin', 'member'] as const;

function WhatRolesMay() {
  return (
    <Section title={words.whatRolesMay}>
      <SimpleGrid component="dl" cols={{ base: 1, sm: 3 }} spacing="lg" m={0}>
        {ROLES.map((role) => (
          <div key={role}>
            <Text component="dt" fw={600}>
              {shellWords.roles[role]}
            </Text>
            <Hint component="dd" m={0}>
              {shellWords.rights[role]}
            </Hint>
          </div>
        ))}
      </SimpleGrid>
    </Section>
  );
}

import { Badge, Tabs } from '@mantine/core';
import { UserPlus } from 'lucide-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useCallback } from 'react';
import type { TeamInfoResponse } from '../../api/index.ts';
import { ActionButton, ErrorNotice, Loading, number, Page, Section, useListState } from '../../ui/index.ts';
import { TeamFacts } from './TeamFacts.tsx';
import { InvitationsTable } from './InvitationsTable.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { MembersPanel } from './MembersPanel.tsx';
import { useDirectory } from './team-queries.ts';
import { WhatRolesMay } from './WhatRolesMay.tsx';
import { words } from './words.ts';

const ABSENT = { tab: 'members', q: '', role: '', invite: false };

/** The team for its admins and owner: members and invitations. */
export function TeamDirectory({ info }: { readonly info: TeamInfoResponse }) {
  const [state, change] = useListState(ABSENT);
  const { members, invitations } = useDirectory();
  const openInvite = useCallback(() => change({ invite: true }, { push: true }), [change]);
  const closeInvite = useCallback(() => change({ invite: false }), [change]);
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
            <Listed query={members}>
              {({ members }) => (
                <MembersPanel
                  members={members}
                  invitations={invitations.data?.invitations ?? []}
                  info={info}
                  filter={state}
                  onFilter={change}
                  inviteButton={inviteButton}
                />
              )}
            </Listed>
          </Tabs.Panel>
          <Tabs.Panel value="invitations">
            <Listed query={invitations}>
              {({ invitations }) => <InvitationsTable invitations={invitations} action={inviteButton} />}
            </Listed>
          </Tabs.Panel>
        </Tabs>
      </Section>
      <WhatRolesMay />
      <InviteDialog opened={state.invite} onClose={closeInvite} />
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

interface ListedProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** A list that stays visible if it can't be read again. */
function Listed<Data>({ query, children }: ListedProps<Data>) {
  return (
    <>
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && children(query.data)}
      {query.isPending && <Loading rows={6} height={56} />}
    </>
  );
}

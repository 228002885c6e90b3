import { Button, Tabs } from '@mantine/core';
import { Lock, Plus } from 'lucide-react';
import { useRole } from '../../shell/index.ts';
import { EmptyState, Page, Section, useListState } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { TokenList } from './TokenList.tsx';
import { NewTokenDialog } from './NewTokenDialog.tsx';
import { Webhooks } from './Webhooks.tsx';

/** `call` is the delivery whose attempts are open; zeros are none. */
const ABSENT = { tab: 'tokens', q: '', create: false, generation: 0, call: 0 };

/** What programs need: tokens to call the service with, and the calls that it makes to them. */
export function TokensPage() {
  const [state, change] = useListState(ABSENT);
  const isAdmin = useRole('admin');
  const tab = state.tab === 'webhooks' ? 'webhooks' : 'tokens';
  const createButton = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => change({ create: true }, { push: true })}>
      {words.tokens.create}
    </Button>
  );
  return (
    <Page title={words.tokens.title} actions={tab === 'tokens' && createButton}>
      <Tabs value={tab} onChange={(next) => change({ ...ABSENT, tab: next ?? ABSENT.tab })} keepMounted={false}>
        <Tabs.List mb="lg">
          <Tabs.Tab value="tokens">{words.tokens.tabs.tokens}</Tabs.Tab>
          <Tabs.Tab value="webhooks">{words.tokens.tabs.webhooks}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="tokens">
          <TokenList q={state.q} onSearch={(q) => change({ q })} action={createButton} />
        </Tabs.Panel>
        <Tabs.Panel value="webhooks">
          {isAdmin ? (
            <Webhooks generation={state.generation} call={state.call} onChange={change} />
          ) : (
            <Section>
              <EmptyState icon={Lock} title={words.tokens.membersTitle} hint={words.tokens.membersHint} />
            </Section>
          )}
        </Tabs.Panel>
      </Tabs>
      <NewTokenDialog opened={state.create} onClose={() => change({ create: false })} />
    </Page>
  );
}

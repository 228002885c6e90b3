import { Button, Tabs } from '@mantine/core';
import { Lock, Plus } from 'lucide-react';
import { useRole } from '../../shell/index.ts';
import { EmptyState, Page, Section, useListState } from '../../ui/index.ts';
import { NewTokenDialog } from './NewTokenDialog.tsx';
import { TokenList } from './TokenList.tsx';
import { Webhooks } from './Webhooks.tsx';
import { words } from './words.ts';

/** `call` is the id of the open delivery; 0 is none. */
const ABSENT = { tab: 'tokens', q: '', create: false, generation: 0, call: 0 };

const TABS = ['tokens', 'webhooks'] as const;

/** API tokens and webhooks. */
export function TokensPage() {
  const [state, change] = useListState(ABSENT);
  const isAdmin = useRole('admin');
  const tab = TABS.find((each) => each === state.tab) ?? 'tokens';
  const createButton = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => change({ create: true }, { push: true })}>
      {words.create}
    </Button>
  );
  return (
    <Page title={words.title} actions={tab === 'tokens' && createButton}>
      <Tabs value={tab} onChange={(next) => change({ ...ABSENT, tab: next ?? ABSENT.tab })} keepMounted={false}>
        <Tabs.List mb="lg">
          {TABS.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {words.tabs[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="tokens">
          <TokenList q={state.q} onSearch={(q) => change({ q })} action={createButton} />
        </Tabs.Panel>
        <Tabs.Panel value="webhooks">
          {isAdmin ? (
            <Webhooks generation={state.generation} call={state.call} onChange={change} />
          ) : (
            <Section>
              <EmptyState icon={Lock} title={words.membersTitle} hint={words.membersHint} />
            </Section>
          )}
        </Tabs.Panel>
      </Tabs>
      <NewTokenDialog opened={state.create} onClose={() => change({ create: false })} />
    </Page>
  );
}

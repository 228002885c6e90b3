import { Stack, Tabs } from '@mantine/core';
import { Lock, Plus } from 'lucide-react';
import { places } from '../../places.ts';
import { useRole } from '../../shell/index.ts';
import { ActionButton, EmptyState, Page, Section, useListState } from '../../ui/index.ts';
import { Customers } from './customers/Customers.tsx';
import { Deliveries, type DeliveriesProps } from './Deliveries.tsx';
import { Endpoints } from './Endpoints.tsx';
import { Events } from './Events.tsx';
import { NewTokenDialog } from './NewTokenDialog.tsx';
import { SigningSecret } from './SigningSecret.tsx';
import { TokenList } from './TokenList.tsx';
import { words } from './words.ts';

/** `call` is the id of the open delivery, `event` the number of the open event; 0 is none. */
const ABSENT = {
  ...{ tab: 'tokens', q: '', create: false },
  ...{ generation: 0, endpoint: 0, call: 0 },
  ...{ types: '', subject: '', event: 0 },
};

const TABS = ['tokens', 'webhooks', 'events', 'customers'] as const;

/** API tokens, webhooks, events and customers, for the developers of programs that use the service. */
export function TokensPage() {
  const [state, change] = useListState(ABSENT);
  const isAdmin = useRole('admin');
  const tab = TABS.find((each) => each === state.tab) ?? 'tokens';
  const createButton = (
    <ActionButton icon={Plus} label={words.create} onClick={() => change({ create: true }, { push: true })} />
  );
  return (
    <Page title={places.tokens} actions={tab === 'tokens' && createButton}>
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
          {isAdmin ? <Webhooks {...state} onChange={change} /> : <ForAdmins {...words.webhooksForAdmins} />}
        </Tabs.Panel>
        <Tabs.Panel value="events">
          <Events {...state} onChange={change} />
        </Tabs.Panel>
        <Tabs.Panel value="customers">
          {isAdmin ? <Customers /> : <ForAdmins {...words.customersForAdmins} />}
        </Tabs.Panel>
      </Tabs>
      <NewTokenDialog opened={state.create} onClose={() => change({ create: false })} />
    </Page>
  );
}

function ForAdmins(text: { readonly title: string; readonly hint: string }) {
  return (
    <Section>
      <EmptyState icon={Lock} {...text} />
    </Section>
  );
}

/** The endpoints, the signing secret and the calls of the workspace. */
function Webhooks(props: DeliveriesProps) {
  return (
    <Stack gap="lg">
      <Endpoints onShow={(endpoint) => props.onChange({ endpoint, generation: 0, call: 0 })} />
      <SigningSecret />
      <Deliveries {...props} />
    </Stack>
  );
}

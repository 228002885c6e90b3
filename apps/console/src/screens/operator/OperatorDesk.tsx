import { Tabs } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { type ComponentType, useEffect, useRef } from 'react';
import { ActionButton, Page, useListState } from '../../ui/index.ts';
import { HealthPart } from './HealthPart.tsx';
import { ModelsPart } from './catalogue/ModelsPart.tsx';
import { ProvidersPart } from './catalogue/ProvidersPart.tsx';
import { ABSENT, type OperatorAccess, type PartProps } from './operator-access.ts';
import { OperatorContext } from './operator-queries.ts';
import { PlansPart } from './PlansPart.tsx';
import { QueuesPart } from './QueuesPart.tsx';
import { SettingsPart } from './SettingsPart.tsx';
import { StoragePart } from './StoragePart.tsx';
import { TokensPart } from './TokensPart.tsx';
import { UsersPart } from './UsersPart.tsx';
import { WorkspacesPart } from './WorkspacesPart.tsx';
import classes from './Operator.module.css';
import { words } from './words.ts';

type Part = keyof typeof words.tabs;

const PARTS: Readonly<Record<Part, ComponentType<PartProps>>> = {
  health: HealthPart,
  providers: ProvidersPart,
  models: ModelsPart,
  queues: QueuesPart,
  storage: StoragePart,
  workspaces: WorkspacesPart,
  users: UsersPart,
  tokens: TokensPart,
  plans: PlansPart,
  settings: SettingsPart,
};
const NAMES = Object.keys(PARTS) as readonly Part[];

interface OperatorDeskProps {
  readonly access: OperatorAccess;
  /** Forgets the token; `null` without one. */
  readonly onLock: (() => void) | null;
}

/** The operator screen once the caller is known to be an operator. */
export function OperatorDesk({ access, onLock }: OperatorDeskProps) {
  const [state, onChange] = useListState(ABSENT);
  const part = NAMES.find((name) => name === state.part) ?? 'health';
  const tabs = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a phone they scroll.
    tabs.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [part]);
  const lock = onLock && <ActionButton icon={Lock} label={words.lock} variant="default" onClick={onLock} />;
  return (
    <QueryClientProvider client={access.queries}>
      <OperatorContext value={access}>
        <Page title={words.title} hint={words.hint} actions={lock}>
          <Tabs
            value={part}
            onChange={(next) => onChange({ ...ABSENT, part: next ?? ABSENT.part })}
            keepMounted={false}
            classNames={{ list: classes.tabs }}
          >
            <Tabs.List mb="lg" ref={tabs}>
              {NAMES.map((name) => (
                <Tabs.Tab key={name} value={name}>
                  {words.tabs[name]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {NAMES.map((name) => {
              const Shown = PARTS[name];
              return (
                <Tabs.Panel key={name} value={name}>
                  <Shown state={state} onChange={onChange} />
                </Tabs.Panel>
              );
            })}
          </Tabs>
        </Page>
      </OperatorContext>
    </QueryClientProvider>
  );
}

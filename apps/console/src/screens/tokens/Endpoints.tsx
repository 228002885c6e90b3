import { Badge, Text } from '@mantine/core';
import { List, Pencil, Plus, RefreshCw, RotateCw, Send, Trash2, Webhook } from 'lucide-react';
import { type EndpointDto, x12 } from '../../api/index.ts';
import {
  ActionButton,
  type Column,
  column,
  DataTable,
  EmptyState,
  Hint,
  menuColumn,
  Note,
  notifyDone,
  notifyError,
  QueryState,
  type RecordDialogs,
  Section,
  useRecordDialogs,
  useSubject,
  When,
} from '../../ui/index.ts';
import { EndpointDialog, type EndpointQuestion } from './EndpointDialog.tsx';
import { errorText } from './deliveries.ts';
import { useEndpointCall, useEndpoints, useEndpointTest } from './endpoint-queries.ts';
import { localMinute, timeOf, typesInWords } from './endpoints.ts';
import classes from './Tokens.module.css';
import { VerifyCalls } from './VerifyCalls.tsx';
import { words } from './words.ts';

const texts = words.endpoints;
const DAY_MS = 86_400_000;
const COLORS = { active: 'sea', failing: 'yellow', disabled: 'gray' } as const;

const FACTS: readonly Column<EndpointDto>[] = [
  column(texts.columns.url, 'minmax(0, 3fr)', ({ url, description }) => (
    <div>
      <Text component="bdi" fw={560} lineClamp={2} title={url} className={classes.name}>
        {url}
      </Text>
      <Note dir="auto" className={classes.name}>
        {description}
      </Note>
    </div>
  )),
  column(texts.columns.types, 'minmax(0, 2fr)', ({ types }) => (
    <Text inherit lineClamp={2} title={typesInWords(types)}>
      {typesInWords(types)}
    </Text>
  )),
  column(texts.columns.state, 'minmax(0, 2fr)', (endpoint) => <State {...endpoint} />),
];

interface EndpointsProps {
  /** Lists the deliveries of an endpoint; 0 for all. */
  readonly onShow: (id: number) => void;
}

/** The receivers of the events of the workspace. */
export function Endpoints({ onShow }: EndpointsProps) {
  const list = useEndpoints();
  const { data: endpoints } = list;
  const dialog = useSubject<EndpointQuestion>();
  const { dialogs, ...records } = useRecordDialogs();
  const itemsOf = useItems({ open: dialog.open, ...records, onShow });
  const menu = menuColumn(({ url }: EndpointDto) => texts.actionsOf(url), itemsOf);
  const add = (
    <ActionButton icon={Plus} label={texts.create} onClick={() => dialog.open({ action: 'save', endpoint: null })} />
  );
  return (
    <Section title={texts.title} actions={endpoints && endpoints.length > 0 && add}>
      <Hint mb="md">{texts.hint}</Hint>
      <QueryState query={list} rows={2} height={56} />
      {endpoints?.length === 0 && <EmptyState icon={Webhook} title={texts.empty} hint={texts.emptyHint} action={add} />}
      {endpoints && endpoints.length > 0 && (
        <DataTable label={texts.title} rows={endpoints} columns={[...FACTS, menu]} keyOf={({ id }) => id} />
      )}
      <VerifyCalls of="event" />
      <EndpointDialog question={dialog.subject} opened={dialog.isOpen} onClose={dialog.close} />
      {dialogs}
    </Section>
  );
}

interface ItemsOptions extends EndpointsProps, RecordDialogs {
  readonly open: (question: EndpointQuestion) => void;
}

/** Returns the actions of an endpoint. The service sends nothing to a disabled one. */
function useItems({ open, fill, ask, onShow }: ItemsOptions) {
  const test = useEndpointTest();
  const send = ({ id }: EndpointDto) => void test(id).then(() => notifyDone(texts.testSent), notifyError);
  const redelivery = useEndpointCall(async (range: Parameters<typeof x12.webhookEndpoints.redeliver>[0]) =>
    x12.webhookEndpoints.redeliver(range),
  );
  const redeliver = ({ id }: EndpointDto) =>
    fill({
      title: texts.titles.redeliver,
      what: texts.redeliverWhat,
      fields: {
        after: { ...texts.after, type: 'datetime-local', initial: localMinute(new Date(Date.now() - DAY_MS)) },
        before: { ...texts.before, type: 'datetime-local', isOptional: true },
      },
      submit: texts.redeliverAction,
      send: async ({ after, before }) => {
        const { events } = await redelivery.mutateAsync({ id, after: timeOf(after), before: timeOf(before) });
        return texts.redelivered(events);
      },
    });
  const deletion = useEndpointCall(async (id: number) => x12.webhookEndpoints.delete({ id }));
  const remove = ({ id, url }: EndpointDto) =>
    ask(texts.deletion(url), () => deletion.mutateAsync(id).then(() => onShow(0)));
  return (endpoint: EndpointDto) => [
    { label: texts.edit, icon: Pencil, onClick: () => open({ action: 'save', endpoint }) },
    { label: texts.showCalls, icon: List, onClick: () => onShow(endpoint.id) },
    ...(endpoint.active
      ? [
          { label: texts.test, icon: Send, onClick: () => send(endpoint) },
          { label: texts.redeliver, icon: RotateCw, onClick: () => redeliver(endpoint) },
        ]
      : []),
    { label: texts.rotate, icon: RefreshCw, onClick: () => open({ action: 'rotate', endpoint }) },
    { label: texts.delete, icon: Trash2, isDangerous: true, onClick: () => remove(endpoint) },
  ];
}

function State({ state, last_error: error, failing_since: since }: EndpointDto) {
  return (
    <div>
      <Badge color={COLORS[state]}>{texts.states[state]}</Badge>
      {error !== null && (
        <Note mt={4}>
          {errorText({ error, status: null })} · {texts.firstTime} <When at={since} />
        </Note>
      )}
    </div>
  );
}

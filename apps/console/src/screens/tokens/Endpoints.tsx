import { Badge, Button, Text } from '@mantine/core';
import { List, Pencil, Plus, RefreshCw, RotateCw, Send, Trash2, Webhook } from 'lucide-react';
import { type EndpointDto, x12 } from '../../api/index.ts';
import {
  ActionMenu,
  type Column,
  ConfirmDialog,
  DataTable,
  EmptyState,
  ErrorNotice,
  Loading,
  notifyDone,
  notifyError,
  Section,
  useSubject,
  When,
} from '../../ui/index.ts';
import { EndpointDialog, type EndpointQuestion } from './EndpointDialog.tsx';
import { errorText } from './deliveries.ts';
import { useEndpointCall, useEndpoints, useEndpointTest } from './endpoint-queries.ts';
import { typesInWords } from './endpoints.ts';
import classes from './Tokens.module.css';
import { VerifyCalls } from './VerifyCalls.tsx';
import { words } from './words.ts';

const texts = words.endpoints;
const COLORS = { active: 'sea', failing: 'yellow', disabled: 'gray' } as const;

const FACTS: readonly Column<EndpointDto>[] = [
  {
    title: texts.columns.url,
    width: 'minmax(0, 3fr)',
    cell: ({ url, description }) => (
      <div>
        <Text component="bdi" fw={560} lineClamp={2} title={url} className={classes.name}>
          {url}
        </Text>
        <Text size="xs" c="dimmed" dir="auto" className={classes.name}>
          {description}
        </Text>
      </div>
    ),
  },
  {
    title: texts.columns.types,
    width: 'minmax(0, 2fr)',
    cell: ({ types }) => (
      <Text inherit lineClamp={2} title={typesInWords(types)}>
        {typesInWords(types)}
      </Text>
    ),
  },
  { title: texts.columns.state, width: 'minmax(0, 2fr)', cell: (endpoint) => <State {...endpoint} /> },
];

interface EndpointsProps {
  /** Lists the deliveries of an endpoint; 0 for all. */
  readonly onShow: (id: number) => void;
}

/** The receivers of the events of the workspace. */
export function Endpoints({ onShow }: EndpointsProps) {
  const { data: endpoints, error, refetch } = useEndpoints();
  const dialog = useSubject<EndpointQuestion>();
  const deleting = useSubject<EndpointDto>();
  const itemsOf = useItems({ ask: dialog.open, askToDelete: deleting.open, onShow });
  const deletion = useEndpointCall(async (id: number) => x12.webhookEndpoints.delete({ id }));
  const remove = async () => {
    await deletion.mutateAsync(deleting.subject!.id);
    onShow(0);
    notifyDone(texts.deleted);
  };
  const actions: Column<EndpointDto> = {
    title: words.columns.actions,
    width: '2.5rem',
    isUntitled: true,
    cell: (endpoint) => <ActionMenu label={texts.actionsOf(endpoint.url)} items={itemsOf(endpoint)} />,
  };
  const add = (
    <Button
      leftSection={<Plus size={16} aria-hidden />}
      onClick={() => dialog.open({ action: 'save', endpoint: null })}
    >
      {texts.create}
    </Button>
  );
  return (
    <Section title={texts.title} actions={endpoints && endpoints.length > 0 && add}>
      <Text size="sm" c="dimmed" mb="md">
        {texts.hint}
      </Text>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!endpoints && !error && <Loading rows={2} height={56} />}
      {endpoints?.length === 0 && <EmptyState icon={Webhook} title={texts.empty} hint={texts.emptyHint} action={add} />}
      {endpoints && endpoints.length > 0 && (
        <DataTable label={texts.title} rows={endpoints} columns={[...FACTS, actions]} keyOf={({ id }) => id} />
      )}
      <VerifyCalls of="event" />
      <EndpointDialog question={dialog.subject} opened={dialog.isOpen} onClose={dialog.close} />
      <ConfirmDialog
        opened={deleting.isOpen}
        onClose={deleting.close}
        title={texts.deleteTitle}
        action={texts.deleteAction}
        onConfirm={remove}
      >
        <Text component="bdi" fw={600} className={classes.name}>
          {deleting.subject?.url}
        </Text>
        <Text size="sm">{texts.deleteWhat}</Text>
      </ConfirmDialog>
    </Section>
  );
}

interface ItemsOptions extends EndpointsProps {
  readonly ask: (question: EndpointQuestion) => void;
  readonly askToDelete: (endpoint: EndpointDto) => void;
}

/** Returns the actions of an endpoint. The service sends nothing to a disabled one. */
function useItems({ ask, askToDelete, onShow }: ItemsOptions) {
  const test = useEndpointTest();
  const send = ({ id }: EndpointDto) =>
    void test(id).then(
      () => notifyDone(texts.testSent),
      (error: unknown) => notifyError(error),
    );
  return (endpoint: EndpointDto) => [
    { label: texts.edit, icon: Pencil, onClick: () => ask({ action: 'save', endpoint }) },
    { label: texts.showCalls, icon: List, onClick: () => onShow(endpoint.id) },
    ...(endpoint.active
      ? [
          { label: texts.test, icon: Send, onClick: () => send(endpoint) },
          { label: texts.redeliver, icon: RotateCw, onClick: () => ask({ action: 'redeliver', endpoint }) },
        ]
      : []),
    { label: texts.rotate, icon: RefreshCw, onClick: () => ask({ action: 'rotate', endpoint }) },
    { label: texts.delete, icon: Trash2, isDangerous: true, onClick: () => askToDelete(endpoint) },
  ];
}

function State({ state, last_error: error, failing_since: since }: EndpointDto) {
  return (
    <div>
      <Badge color={COLORS[state]}>{texts.states[state]}</Badge>
      {error !== null && (
        <Text size="xs" c="dimmed" mt={4}>
          {errorText({ error, status: null })} · {texts.firstTime} <When at={since} />
        </Text>
      )}
    </div>
  );
}

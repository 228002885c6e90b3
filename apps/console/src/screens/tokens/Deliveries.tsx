import { Badge, Button, Group, NumberInput, Select, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { ChevronRight, CircleCheck, CircleX, Send, Webhook } from 'lucide-react';
import type { DeliveryDto } from '../../api/index.ts';
import { useShown } from '../../state/index.ts';
import {
  ActionButton,
  EmptyState,
  MoreOfList,
  Note,
  notifyDone,
  notifyError,
  number,
  QueryState,
  Section,
  VirtualList,
  When,
} from '../../ui/index.ts';
import { causeOf, outcomeOf } from './deliveries.ts';
import { deliveryChanges, listed, useDeliveries, useRedelivery } from './delivery-queries.ts';
import { useEndpoints } from './endpoint-queries.ts';
import classes from './Tokens.module.css';
import { words } from './words.ts';

export interface DeliveriesState {
  /** The generation whose calls are listed; 0 for all. */
  readonly generation: number;
  /** The endpoint whose calls are listed; 0 for all. */
  readonly endpoint: number;
  /** The open call; 0 for none. */
  readonly call: number;
}

export interface DeliveriesProps extends DeliveriesState {
  readonly onChange: (part: Partial<DeliveriesState>) => void;
}

type FilterProps = Omit<DeliveriesProps, 'call'>;

/** The calls of the last 30 days, newest first, optionally of one generation or endpoint. */
export function Deliveries({ generation, endpoint, call, onChange }: DeliveriesProps) {
  const query = useDeliveries(generation, endpoint);
  const deliveries = listed(useShown(deliveryChanges, query.data));
  const filter = { generation, endpoint, onChange };
  return (
    <Section title={words.deliveries} actions={<Filter {...filter} />}>
      <QueryState query={query} rows={4} height={52} />
      {query.isSuccess && deliveries.length === 0 && <Nothing {...filter} />}
      {deliveries.length > 0 && (
        <VirtualList items={deliveries} label={words.deliveries} keyOf={({ id }) => id} rowHeight={65} line="below">
          {(delivery) => (
            <DeliveryRow
              delivery={delivery}
              isOpen={delivery.id === call}
              onToggle={() => onChange({ call: delivery.id === call ? 0 : delivery.id })}
            />
          )}
        </VirtualList>
      )}
      {query.data && <MoreOfList query={query} />}
    </Section>
  );
}

function Filter({ generation, endpoint, onChange }: FilterProps) {
  const { data: endpoints = [] } = useEndpoints();
  return (
    <Group gap="xs">
      {endpoints.length > 0 && (
        <Select
          clearable
          aria-label={words.endpoints.one}
          placeholder={words.endpoints.one}
          clearButtonProps={{ 'aria-label': words.showAll }}
          w={260}
          data={endpoints.map(({ id, url }) => ({ value: String(id), label: url }))}
          value={endpoint ? String(endpoint) : null}
          onChange={(value) => onChange({ endpoint: Number(value), call: 0 })}
        />
      )}
      <NumberInput
        aria-label={words.generation}
        placeholder={words.generation}
        prefix={`${words.generation} `}
        w={190}
        min={1}
        max={Number.MAX_SAFE_INTEGER}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        value={generation || ''}
        onChange={(value) => onChange({ generation: Number(value), call: 0 })}
      />
    </Group>
  );
}

function Nothing({ generation, endpoint, onChange }: FilterProps) {
  const { noDeliveries, noDeliveriesHint, noneOfGeneration, noneOfGenerationHint, showAll, endpoints } = words;
  if (generation + endpoint === 0) return <EmptyState icon={Webhook} title={noDeliveries} hint={noDeliveriesHint} />;
  const all = (
    <ActionButton label={showAll} variant="default" onClick={() => onChange({ generation: 0, endpoint: 0 })} />
  );
  if (generation === 0) {
    return <EmptyState icon={Webhook} title={endpoints.noCalls} hint={endpoints.noCallsHint} action={all} />;
  }
  return <EmptyState icon={Webhook} title={noneOfGeneration(generation)} hint={noneOfGenerationHint} action={all} />;
}

const COLORS = { pending: 'yellow', delivered: 'sea', failed: 'red' } as const;

interface DeliveryRowProps {
  readonly delivery: DeliveryDto;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** A call with its address and outcome, and with its attempts when it is open. */
function DeliveryRow({ delivery, isOpen, onToggle }: DeliveryRowProps) {
  const { id, url, state } = delivery;
  const cause = causeOf(delivery);
  const redeliver = useRedelivery();
  const sendAgain = () => void redeliver(delivery).then(() => notifyDone(words.sentAgain(cause)), notifyError);
  return (
    <>
      <div className={classes.summary}>
        <UnstyledButton
          className={classes.open}
          aria-expanded={isOpen}
          aria-controls={`attempts-${id}`}
          onClick={onToggle}
        >
          <ChevronRight size={17} className={classes.arrow} aria-hidden />
          <Badge color={COLORS[state]}>{words.states[state]}</Badge>
          <span className={classes.what}>
            <Text span inherit fw={600}>
              {cause}
            </Text>
            <bdi className={classes.url} title={url}>
              {url}
            </bdi>
          </span>
        </UnstyledButton>
        <div className={classes.outcome}>
          <Outcome {...delivery} />
        </div>
        <Button size="xs" variant="default" leftSection={<Send size={14} aria-hidden />} onClick={sendAgain}>
          {words.sendAgain}
          <VisuallyHidden>, {cause}</VisuallyHidden>
        </Button>
      </div>
      <div id={`attempts-${id}`} hidden={!isOpen}>
        {isOpen && <Attempts {...delivery} />}
      </div>
    </>
  );
}

function Outcome({ attempts, next_attempt_at: next }: DeliveryDto) {
  const last = attempts.at(-1);
  return (
    <>
      <Text inherit>{last ? outcomeOf(last) : words.noAttempt}</Text>
      <Note>
        {words.attempts(attempts.length)}
        {' · '}
        {next !== null && `${words.due} `}
        <When at={next ?? last?.at ?? null} />
      </Note>
    </>
  );
}

function Attempts({ attempts, ...delivery }: DeliveryDto) {
  return (
    <ol className={classes.attempts} aria-label={words.details(causeOf(delivery))}>
      {attempts.length === 0 && <li>{words.noAttempt}</li>}
      {attempts.toReversed().map((attempt) => {
        const Icon = attempt.error === null ? CircleCheck : CircleX;
        return (
          <li key={attempt.at}>
            <Icon
              size={16}
              color={attempt.error === null ? 'var(--mantine-primary-color-filled)' : 'var(--mantine-color-error)'}
              aria-hidden
            />
            <div>
              {outcomeOf(attempt)}{' '}
              <Text inherit span c="dimmed">
                <When at={attempt.at} /> · {words.took(number(attempt.duration_ms))}
              </Text>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

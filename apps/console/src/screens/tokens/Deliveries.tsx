import { Button, Group, NumberInput, Select } from '@mantine/core';
import { Webhook } from 'lucide-react';
import { useShown } from '../../state/index.ts';
import { EmptyState, MoreOfList, QueryState, Section, VirtualList } from '../../ui/index.ts';
import { DeliveryRow } from './DeliveryRow.tsx';
import { deliveryChanges, listed, useDeliveries } from './delivery-queries.ts';
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
        <VirtualList
          items={deliveries}
          label={words.deliveries}
          keyOf={({ id }) => id}
          rowHeight={65}
          rowClassName={classes.delivery}
        >
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
    <Button variant="default" onClick={() => onChange({ generation: 0, endpoint: 0 })}>
      {showAll}
    </Button>
  );
  if (generation === 0) {
    return <EmptyState icon={Webhook} title={endpoints.noCalls} hint={endpoints.noCallsHint} action={all} />;
  }
  return <EmptyState icon={Webhook} title={noneOfGeneration(generation)} hint={noneOfGenerationHint} action={all} />;
}

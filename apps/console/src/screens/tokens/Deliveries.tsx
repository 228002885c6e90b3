import { Button, NumberInput } from '@mantine/core';
import { Webhook } from 'lucide-react';
import { useShown } from '../../state/index.ts';
import { EmptyState, ErrorNotice, Loading, MoreOfList, Section, VirtualList } from '../../ui/index.ts';
import { DeliveryRow } from './DeliveryRow.tsx';
import { deliveryChanges, listed, useDeliveries } from './delivery-queries.ts';
import classes from './Tokens.module.css';
import { words } from './words.ts';

interface DeliveriesProps {
  readonly generation: number;
  readonly call: number;
  readonly onChange: (part: { generation?: number; call?: number }) => void;
}

/** The calls of the last 30 days, newest first, optionally of one generation. */
export function Deliveries({ generation, call, onChange }: DeliveriesProps) {
  const query = useDeliveries(generation);
  const deliveries = listed(useShown(deliveryChanges, query.data));
  return (
    <Section title={words.deliveries} actions={<Filter generation={generation} onChange={onChange} />}>
      {query.error && !query.isFetchNextPageError && (
        <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Loading rows={4} height={52} />}
      {query.isSuccess && deliveries.length === 0 && <Nothing generation={generation} onChange={onChange} />}
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

function Filter({ generation, onChange }: Pick<DeliveriesProps, 'generation' | 'onChange'>) {
  return (
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
  );
}

function Nothing({ generation, onChange }: Pick<DeliveriesProps, 'generation' | 'onChange'>) {
  const { noDeliveries, noDeliveriesHint, noneOfGeneration, noneOfGenerationHint, showAll } = words;
  if (generation === 0) return <EmptyState icon={Webhook} title={noDeliveries} hint={noDeliveriesHint} />;
  const all = (
    <Button variant="default" onClick={() => onChange({ generation: 0 })}>
      {showAll}
    </Button>
  );
  return <EmptyState icon={Webhook} title={noneOfGeneration(generation)} hint={noneOfGenerationHint} action={all} />;
}

import { Input, NumberInput, Select, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { words } from '../../../words.ts';
import { costOf, type CostParts, costParts, decisiveParameters, type Entry, hasDuration } from './entry.ts';
import type { VendorPrice } from './proposal.ts';

interface CostFieldProps {
  readonly entry: Entry;
  /** What the vendor charges, where it tells. */
  readonly price?: VendorPrice | null;
  readonly problem: string | undefined;
  readonly onChange: (cost: Entry['cost']) => void;
}

const said = words.catalogue.cost;
/** No name of a parameter. */
const SAME = '-';

/** The credits of a call: one amount, or one for each value of a setting; for each output or second. */
export function CostField({ entry, price, problem, onChange }: CostFieldProps) {
  // An incomplete cost is none of the entry yet.
  const [typed, setTyped] = useState<CostParts | null>(null);
  const isTyped = typed !== null && JSON.stringify(costOf(typed)) === JSON.stringify(entry.cost);
  const parts = isTyped ? typed : costParts(entry.cost);
  const decisive = decisiveParameters(entry);
  const change = (part: Partial<CostParts>) => {
    setTyped({ ...parts, ...part });
    onChange(costOf({ ...parts, ...part }));
  };
  const { credits, parameter, per } = parts;
  const units = hasDuration(entry) || per === 'second' ? (['output', 'second'] as const) : (['output'] as const);
  const choose = (name: string | null) => {
    const values = decisive.get(name ?? SAME);
    const amount = typeof credits === 'number' ? credits : Object.values(credits ?? {})[0];
    if (!values) return change({ parameter: null, credits: amount });
    change({ parameter: name, credits: Object.fromEntries(values.map((value) => [value, amount])) });
  };
  const amounts = typeof credits === 'object' ? credits : null;
  return (
    <Input.Wrapper label={said.label} labelElement="div" description={price && priceText(price)} error={problem}>
      <SimpleGrid cols={{ base: 1, xs: decisive.size > 0 || units.length > 1 ? 2 : 1 }} spacing="sm" mt={6}>
        {!amounts && (
          <NumberInput
            aria-label={said.label}
            min={0}
            placeholder="4"
            suffix={units.length === 1 ? ` ${said.each}` : undefined}
            value={typeof credits === 'number' ? credits : ''}
            onChange={(value) => change({ credits: value === '' ? undefined : Number(value) })}
          />
        )}
        {units.length > 1 && (
          <Select
            aria-label={said.per}
            allowDeselect={false}
            data={units.map((value) => ({ value, label: value === 'output' ? said.each : said.second }))}
            value={per}
            onChange={(value) => change({ per: value as CostParts['per'] })}
          />
        )}
        {decisive.size > 0 && (
          <Select
            aria-label={said.decides}
            allowDeselect={false}
            data={[
              { value: SAME, label: said.by },
              ...[...decisive.keys()].map((name) => ({ value: name, label: said.byParameter(name) })),
            ]}
            value={parameter ?? SAME}
            onChange={choose}
          />
        )}
      </SimpleGrid>
      {amounts && (
        <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="sm" mt="sm">
          {Object.entries(amounts).map(([value, amount]) => (
            <NumberInput
              key={value}
              min={0}
              size="xs"
              label={value}
              aria-label={said.amount(value)}
              value={amount ?? ''}
              onChange={(next) => change({ credits: { ...amounts, [value]: next === '' ? undefined : Number(next) } })}
            />
          ))}
        </SimpleGrid>
      )}
    </Input.Wrapper>
  );
}

function priceText({ amount, currency, unit }: VendorPrice): string {
  const isCode = /^[A-Z]{3}$/i.test(currency);
  const style = isCode ? ({ style: 'currency', currency } as const) : {};
  const text = new Intl.NumberFormat('en', { ...style, maximumSignificantDigits: 4 }).format(amount);
  return words.catalogue.model.price(isCode ? text : `${text} ${currency}`, unit);
}

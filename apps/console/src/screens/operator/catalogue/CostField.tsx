import { Input, NumberInput, Select, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { costOf, type CostParts, costParts, decisiveParameters, type Entry, hasDuration } from './entry.ts';
import type { VendorPrice } from './proposal.ts';
import { words } from './words.ts';

interface CostFieldProps {
  readonly entry: Entry;
  /** Price of the vendor, where known. */
  readonly price?: VendorPrice | null;
  readonly problem: string | undefined;
  readonly onChange: (cost: Entry['cost']) => void;
}

const text = words.cost;
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
    <Input.Wrapper label={text.label} labelElement="div" description={price && priceText(price)} error={problem}>
      <SimpleGrid cols={{ base: 1, xs: decisive.size > 0 || units.length > 1 ? 2 : 1 }} spacing="sm" mt={6}>
        {!amounts && (
          <NumberInput
            aria-label={text.label}
            min={0}
            placeholder="4"
            suffix={units.length === 1 ? ` ${text.each}` : undefined}
            value={typeof credits === 'number' ? credits : ''}
            onChange={(value) => change({ credits: value === '' ? undefined : Number(value) })}
          />
        )}
        {units.length > 1 && (
          <Select
            aria-label={text.per}
            allowDeselect={false}
            data={units.map((value) => ({ value, label: value === 'output' ? text.each : text.second }))}
            value={per}
            onChange={(value) => change({ per: value as CostParts['per'] })}
          />
        )}
        {decisive.size > 0 && (
          <Select
            aria-label={text.decides}
            allowDeselect={false}
            data={[
              { value: SAME, label: text.by },
              ...[...decisive.keys()].map((name) => ({ value: name, label: text.byParameter(name) })),
            ]}
            value={parameter ?? SAME}
            onChange={choose}
          />
        )}
      </SimpleGrid>
      {amounts && <Amounts amounts={amounts} onChange={(credits) => change({ credits })} />}
    </Input.Wrapper>
  );
}

type AmountsOf = Exclude<CostParts['credits'], number | undefined>;

interface AmountsProps {
  readonly amounts: AmountsOf;
  readonly onChange: (amounts: AmountsOf) => void;
}

/** The credits for each value of the setting that decides. */
function Amounts({ amounts, onChange }: AmountsProps) {
  return (
    <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="sm" mt="sm">
      {Object.entries(amounts).map(([value, amount]) => (
        <NumberInput
          key={value}
          min={0}
          size="xs"
          label={value}
          aria-label={text.amount(value)}
          value={amount ?? ''}
          onChange={(next) => onChange({ ...amounts, [value]: next === '' ? undefined : Number(next) })}
        />
      ))}
    </SimpleGrid>
  );
}

export function priceText({ amount, currency, unit }: VendorPrice): string {
  const isCode = /^[A-Z]{3}$/i.test(currency);
  const style = isCode ? ({ style: 'currency', currency } as const) : {};
  const text = new Intl.NumberFormat('en', { ...style, maximumSignificantDigits: 4 }).format(amount);
  return words.model.price(isCode ? text : `${text} ${currency}`, unit);
}

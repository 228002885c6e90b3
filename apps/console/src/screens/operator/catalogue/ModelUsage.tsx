import { Select, Text } from '@mantine/core';
import { ChartNoAxesColumn, Download } from 'lucide-react';
import { useState } from 'react';
import { monthName } from '../../../days.ts';
import {
  ActionButton,
  type Column,
  column,
  DataTable,
  EmptyState,
  Note,
  notifyError,
  number,
  percent,
  saveCsv,
} from '../../../ui/index.ts';
import type { ModelUsageDto } from '../generated/index.ts';
import { useAccess, useModelUsage } from '../operator-queries.ts';
import { Read } from '../Read.tsx';
import { RowName } from '../RowName.tsx';
import type { KnownModel } from './known-models.ts';
import { newestMonths } from './months.ts';
import { words } from './words.ts';

const text = words.usage;

/** How often each model was used in a month, how that ended, what it took, and what it earned and cost. */
export function ModelUsage({ models }: { readonly models: readonly KnownModel[] }) {
  const { download } = useAccess();
  const [months] = useState(() => newestMonths(new Date()));
  const [month, setMonth] = useState(months[0]!);
  const usage = useModelUsage(month);
  const save = async () =>
    saveCsv(text.file(month), await download(`/admin/api/models/usage?from=${month}&to=${month}`, 'text/csv'));
  const actions = (
    <>
      <Select
        w={170}
        size="sm"
        aria-label={text.month}
        allowDeselect={false}
        data={months.map((value) => ({ value, label: monthName(value) }))}
        value={month}
        onChange={(chosen) => chosen && setMonth(chosen)}
      />
      <ActionButton icon={Download} label={text.csv} variant="default" onClick={() => void save().catch(notifyError)} />
    </>
  );
  return (
    <Read title={text.title} query={usage} actions={actions}>
      {({ usage: rows }) =>
        rows.length === 0 ? (
          <EmptyState icon={ChartNoAxesColumn} title={text.none} hint={text.noneHint} />
        ) : (
          <DataTable label={text.title} rows={rows} columns={columnsOf(models)} keyOf={({ model }) => model} />
        )
      }
    </Read>
  );
}

const { columns } = text;
const right = (title: string, width: string, cell: Column<ModelUsageDto>['cell']): Column<ModelUsageDto> =>
  column(title, width, cell, { isRight: true });

const columnsOf = (models: readonly KnownModel[]): readonly Column<ModelUsageDto>[] => [
  column(columns.model, 'minmax(0, 1fr)', ({ model }) => {
    const known = models.find(({ id }) => id === model);
    return <RowName name={known?.title ?? model} children={known && <Note>{model}</Note>} />;
  }),
  right(columns.uses, '5rem', ({ uses }) => number(uses)),
  right(columns.failed, '7rem', ({ failed, uses }) =>
    failed === 0 ? '0' : text.failed(number(failed), percent(failed / uses)),
  ),
  right(columns.times, '9rem', ({ p50_seconds: half, p95_seconds: most }) =>
    half === null || most === null ? '' : text.times(number(half, 1), number(most, 1)),
  ),
  right(columns.credits, '6rem', ({ credits }) => number(credits)),
  right(columns.vendor, '9rem', (row) => <VendorCost {...row} />),
];

/** Cost by the vendor, which may report it for some generations only. */
function VendorCost({ vendor_cost: cost, vendor_costs: reported, succeeded }: ModelUsageDto) {
  if (cost === null) return <Text inherit c="dimmed" children={text.unreported} />;
  return (
    <div>
      {number(cost, 2)}
      {reported < succeeded && <Note>{text.ofSome(number(reported), number(succeeded))}</Note>}
    </div>
  );
}

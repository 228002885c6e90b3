import { Anchor, Group, Text, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import type { CustomerDto } from '../../../api/index.ts';
import { type Column, CreditsBar, Hint, IconButton, number, When } from '../../../ui/index.ts';
import { words } from './words.ts';

const titles = words.columns;

export function customerColumns(onEdit: (customer: CustomerDto) => void): readonly Column<CustomerDto>[] {
  return [
    { title: titles.customer, width: 'minmax(0, 2fr)', cell: Names },
    {
      title: titles.month,
      width: 'minmax(0, 1.2fr)',
      cell: ({ month, monthly_credits: budget }) => <Budget {...month} budget={budget} />,
    },
    {
      title: titles.total,
      width: 'minmax(0, 1.2fr)',
      cell: ({ total, total_credits: budget }) => <Budget {...total} budget={budget} />,
    },
    { title: titles.since, width: '7rem', cell: ({ created_at }) => <When at={created_at} c="dimmed" /> },
    { title: titles.links, width: '8rem', isUntitled: true, cell: Links },
    {
      title: titles.actions,
      width: '2.5rem',
      isUntitled: true,
      cell: (customer) => (
        <Tooltip label={words.edit}>
          <IconButton
            icon={Pencil}
            iconSize={17}
            label={words.editOne(customer.customer)}
            aria-haspopup="dialog"
            onClick={() => onEdit(customer)}
          />
        </Tooltip>
      ),
    },
  ];
}

function Names({ customer, name }: CustomerDto) {
  return (
    <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
      <Text component="bdi" fw={560} size="md" lineClamp={2} title={customer}>
        {customer}
      </Text>
      {name !== null && (
        <Hint component="bdi" lineClamp={2} title={name}>
          {name}
        </Hint>
      )}
    </div>
  );
}

/** The credits of a budget that are used, and a bar with those that are left. @param budget null for no limit */
function Budget({ used, reserved, budget }: CustomerDto['month'] & { readonly budget: number | null }) {
  const isSpent = budget !== null && used >= budget;
  return (
    <div style={{ flex: 1, minWidth: 0 }}>
      <Text inherit c={isSpent ? 'var(--mantine-color-error)' : undefined}>
        {budget === null ? words.used(number(used)) : words.usedOf(number(used), number(budget))}
        {reserved > 0 && words.reserved(number(reserved))}
      </Text>
      {budget !== null && (
        <CreditsBar purchased={budget} available={budget - used} reserved={reserved} size={6} mt={4} />
      )}
    </div>
  );
}

function Links({ customer }: CustomerDto) {
  const of = { component: Link, search: { customer } as never, size: 'sm', underline: 'always' } as const;
  return (
    <Group gap="sm">
      <Anchor {...of} to="/usage" aria-label={words.usageOf(customer)}>
        {words.usage}
      </Anchor>
      <Anchor {...of} to="/library" aria-label={words.picturesOf(customer)}>
        {words.pictures}
      </Anchor>
    </Group>
  );
}

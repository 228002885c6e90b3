import { Anchor, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pencil, Plus, UsersRound } from 'lucide-react';
import { type CustomerDto, customersListInfiniteOptions, refresh, usePages, x12 } from '../../../api/index.ts';
import {
  ActionButton,
  type Column,
  column,
  CreditsBar,
  DataTable,
  EmptyState,
  Hint,
  IconButton,
  MoreOfList,
  number,
  orNull,
  QueryState,
  type RecordForm,
  Section,
  useRecordDialogs,
  When,
} from '../../../ui/index.ts';
import { words } from './words.ts';

const PAGE = 50;

/** The customers of the workspace, with their budgets. Only for admins and the owner. */
export function Customers() {
  const options = customersListInfiniteOptions({ query: { limit: PAGE } });
  const { list, items: customers } = usePages(options, (page) => page.customers);
  const { fill, dialogs } = useRecordDialogs();
  const formOf = useCustomerForm();
  const columns = customerColumns((customer) => fill(formOf(customer)));
  const create = (
    <ActionButton icon={Plus} label={words.create} aria-haspopup="dialog" onClick={() => fill(formOf(null))} />
  );
  return (
    <Section title={words.title} actions={!!customers?.length && create}>
      <Hint mb="md">{words.hint}</Hint>
      <QueryState query={list} rows={4} height={64} />
      {customers?.length === 0 && (
        <EmptyState icon={UsersRound} title={words.empty} hint={words.emptyHint} action={create} />
      )}
      {!!customers?.length && (
        <DataTable label={words.title} rows={customers} columns={columns} keyOf={({ id }) => id} />
      )}
      {list.data && <MoreOfList query={list} />}
      {dialogs}
    </Section>
  );
}

/** The form of a customer, or of a new one. The label of one that exists cannot be changed. */
function useCustomerForm() {
  const queries = useQueryClient();
  return (customer: CustomerDto | null): RecordForm => {
    const amount = { type: 'number', isOptional: true, placeholder: words.noLimit } as const;
    return {
      title: customer ? words.editTitle(customer.customer) : words.newTitle,
      fields: {
        ...(!customer && { customer: { label: words.label, hint: words.labelHint } }),
        name: { label: words.name, hint: words.nameHint, isOptional: true, initial: customer?.name },
        monthly_credits: { ...amount, ...words.monthly, initial: customer?.monthly_credits?.toString() },
        total_credits: { ...amount, ...words.total, initial: customer?.total_credits?.toString() },
      },
      submit: words.save,
      send: async ({ customer: label = customer!.customer, name, monthly_credits, total_credits }) => {
        // The label of a new customer may be one that exists: empty fields take nothing away from it.
        const none = customer ? null : undefined;
        const amountOf = (text = '') => (text === '' ? none : Number(text));
        await x12.customers.update({
          customer: label,
          name: orNull(name ?? '') ?? none,
          monthly_credits: amountOf(monthly_credits),
          total_credits: amountOf(total_credits),
        });
        await refresh(queries, 'customers');
        return words.saved;
      },
    };
  };
}

const titles = words.columns;

function customerColumns(onEdit: (customer: CustomerDto) => void): readonly Column<CustomerDto>[] {
  return [
    column(titles.customer, 'minmax(0, 2fr)', Names),
    column(titles.month, 'minmax(0, 1.2fr)', ({ month, monthly_credits: budget }) => (
      <Budget {...month} budget={budget} />
    )),
    column(titles.total, 'minmax(0, 1.2fr)', ({ total, total_credits: budget }) => (
      <Budget {...total} budget={budget} />
    )),
    column(titles.since, '7rem', ({ created_at }) => <When at={created_at} c="dimmed" />),
    column(titles.links, '8rem', Links, { isUntitled: true }),
    column(
      titles.actions,
      '2.5rem',
      (customer) => (
        <IconButton
          icon={Pencil}
          iconSize={17}
          label={words.editOne(customer.customer)}
          tooltip={words.edit}
          aria-haspopup="dialog"
          onClick={() => onEdit(customer)}
        />
      ),
      { isUntitled: true },
    ),
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

/** The credits of a budget that are used, with their bar. @param budget null for no limit */
function Budget({ used, reserved, budget }: CustomerDto['month'] & { readonly budget: number | null }) {
  const isSpent = budget !== null && used >= budget;
  return (
    <div style={{ flex: 1, minWidth: 0 }}>
      <Text inherit c={isSpent ? 'var(--mantine-color-error)' : undefined}>
        {budget === null ? words.used(number(used)) : words.usedOf(number(used), number(budget))}
        {reserved > 0 && words.reserved(number(reserved))}
      </Text>
      {budget !== null && (
        <CreditsBar isOfUsed purchased={budget} available={budget - used} reserved={reserved} size={6} mt={4} />
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

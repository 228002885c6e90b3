import { useQueryClient } from '@tanstack/react-query';
import { Plus, UsersRound } from 'lucide-react';
import { type CustomerDto, customersListInfiniteOptions, refresh, usePages, x12 } from '../../../api/index.ts';
import {
  ActionButton,
  DataTable,
  EmptyState,
  Hint,
  MoreOfList,
  Note,
  orNull,
  QueryState,
  type RecordForm,
  Section,
  useRecordDialogs,
} from '../../../ui/index.ts';
import { customerColumns } from './customer-columns.tsx';
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
        <>
          <DataTable label={words.title} rows={customers} columns={columns} keyOf={({ id }) => id} />
          <Note mt="sm">{words.bars}</Note>
        </>
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

import { Button, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Lock, Plus, UsersRound } from 'lucide-react';
import { useMemo } from 'react';
import { type CustomerDto, customersListInfiniteOptions } from '../../../api/index.ts';
import { useRole } from '../../../shell/index.ts';
import { DataTable, EmptyState, ErrorNotice, Loading, MoreOfList, Section, useSubject } from '../../../ui/index.ts';
import { customerColumns } from './customer-columns.tsx';
import { CustomerDialog } from './CustomerDialog.tsx';
import { words } from './words.ts';

const PAGE = 50;

/** The customers of the workspace, with their budgets. Only for admins and the owner. */
export function Customers() {
  if (useRole('admin')) return <CustomerList />;
  return (
    <Section>
      <EmptyState icon={Lock} title={words.membersTitle} hint={words.membersHint} />
    </Section>
  );
}

function CustomerList() {
  const query = useInfiniteQuery({
    ...customersListInfiniteOptions({ query: { limit: PAGE } }),
    initialPageParam: {},
    getNextPageParam: (page) => page.next_cursor,
  });
  const { subject, isOpen, open, close } = useSubject<CustomerDto | null>();
  const columns = useMemo(() => customerColumns(open), [open]);
  const customers = query.data?.pages.flatMap((page) => page.customers);
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} aria-haspopup="dialog" onClick={() => open(null)}>
      {words.create}
    </Button>
  );
  return (
    <Section title={words.title} actions={!!customers?.length && create}>
      <Text c="dimmed" size="sm" mb="md">
        {words.hint}
      </Text>
      {query.error && !query.isFetchNextPageError && (
        <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Loading rows={4} height={64} />}
      {customers?.length === 0 && (
        <EmptyState icon={UsersRound} title={words.empty} hint={words.emptyHint} action={create} />
      )}
      {!!customers?.length && (
        <>
          <DataTable label={words.title} rows={customers} columns={columns} keyOf={({ id }) => id} />
          <Text c="dimmed" size="xs" mt="sm">
            {words.bars}
          </Text>
        </>
      )}
      {query.data && <MoreOfList query={query} />}
      <CustomerDialog customer={subject} opened={isOpen} onClose={close} />
    </Section>
  );
}

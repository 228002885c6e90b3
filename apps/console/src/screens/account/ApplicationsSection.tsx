import { Button, Text, VisuallyHidden } from '@mantine/core';
import type { GrantDto } from '../../api/index.ts';
import { scopeWords } from '../../scope-words.ts';
import { type Column, column, DataTable, Hint, QueryState, Section, useRecordDialogs, When } from '../../ui/index.ts';
import { useGrantEnd, useGrants } from './account-queries.ts';
import { words } from './words.ts';

const text = words.applications;

/** Applications that the user has connected, such as an AI assistant. */
export function ApplicationsSection() {
  const grants = useGrants();
  const { ask, dialogs } = useRecordDialogs();
  const end = useGrantEnd();
  const rows = grants.data ?? [];
  const endOne = ({ id, name }: GrantDto) => ask({ ...text.ending, subject: name }, () => end(id));
  return (
    <Section title={text.title}>
      <Hint mb="md">{rows.length > 0 || !grants.isSuccess ? text.hint : text.none}</Hint>
      <QueryState query={grants} rows={2} height={48} />
      {rows.length > 0 && (
        <DataTable label={text.title} rows={rows} columns={columnsOf(endOne)} keyOf={({ id }) => id} />
      )}
      {dialogs}
    </Section>
  );
}

function columnsOf(onEnd: (grant: GrantDto) => void): readonly Column<GrantDto>[] {
  const { columns } = text;
  return [
    column(columns.name, 'minmax(0, 1.6fr)', ({ name }) => (
      <Text fw={560} size="md">
        {name}
      </Text>
    )),
    column(columns.host, 'minmax(0, 1.2fr)', ({ client_host: host, redirect_host: redirect }) => host ?? redirect),
    column(columns.may, 'minmax(0, 2fr)', ({ scopes }) => scopes.map((scope) => scopeWords[scope].label).join(', ')),
    column(columns.used, '9rem', ({ last_used_at: at }) => (at === null ? words.never : <When at={at} />)),
    column(
      columns.actions,
      '7.5rem',
      (grant) => (
        <Button size="xs" variant="default" onClick={() => onEnd(grant)}>
          {text.ending.action}
          <VisuallyHidden>, {grant.name}</VisuallyHidden>
        </Button>
      ),
      { isUntitled: true, isRight: true },
    ),
  ];
}

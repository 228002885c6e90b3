import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import { bytes, EmptyState, Facts, Hint, number, Section, When } from '../../ui/index.ts';
import type { AuditDto, StoredResponse } from './generated/index.ts';
import { useRead } from './operator-queries.ts';
import { Read } from './Read.tsx';
import classes from './Operator.module.css';
import { words } from './words.ts';

/** Sums of the storage, and the result of the nightly comparison of records and storage. */
export function StoragePart() {
  const query = useRead('storage');
  return (
    <Stack gap="lg">
      <Read title={words.stored} query={query}>
        {(storage) => <Facts items={factsOf(storage)} />}
      </Read>
      {query.data && (
        <Section title={words.audit}>
          {query.data.last_audit ? (
            <Comparison audit={query.data.last_audit} />
          ) : (
            <EmptyState title={words.noAudit} hint={words.noAuditHint} />
          )}
        </Section>
      )}
    </Stack>
  );
}

function factsOf(storage: StoredResponse) {
  const { files, temporary, toDelete, unfinished, store, disk, bucket } = words;
  return [
    { term: files, value: number(storage.files) },
    { term: words.bytes, value: bytes(storage.bytes) },
    { term: temporary, value: number(storage.temporary_files) },
    { term: unfinished, value: number(storage.unfinished_uploads) },
    { term: toDelete, value: number(storage.objects_to_delete) },
    { term: store, value: storage.bucket === null ? disk : bucket(storage.bucket), isLong: true },
  ];
}

function Comparison({ audit }: { readonly audit: AuditDto }) {
  const { auditWell, auditIll, auditHint, objects, withoutRecord, filesCompared, withoutObject } = words;
  const isWell = audit.without_record === 0 && audit.without_object === 0;
  const items = [
    { term: objects, value: number(audit.objects) },
    { term: withoutRecord, value: number(audit.without_record) },
    { term: filesCompared, value: number(audit.files) },
    { term: withoutObject, value: number(audit.without_object) },
  ];
  return (
    <Stack gap="md">
      <Group gap="sm">
        <Badge color={isWell ? 'sea' : 'red'}>{isWell ? auditWell : auditIll}</Badge>
        <Hint>
          {words.compared} <When at={audit.compared_at} />
        </Hint>
      </Group>
      <Facts items={items} />
      {!isWell && <Hint>{auditHint}</Hint>}
      {audit.examples.length > 0 && (
        <div>
          <Text size="sm" fw={600} mb={6}>
            {words.examples}
          </Text>
          <ul className={classes.examples}>
            {audit.examples.map((key) => (
              <li key={key}>
                <Code>{key}</Code>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Stack>
  );
}

import { Alert, Group } from '@mantine/core';
import { Users } from 'lucide-react';
import { ActionButton, ErrorNotice } from '../../../ui/index.ts';
import { ChangedMeanwhile } from './catalogue-queries.ts';
import { words } from './words.ts';

interface ConflictNoticeProps {
  readonly error: unknown;
  /** Shows the entry of the other operator. */
  readonly onLoad: () => void;
}

const text = words.conflict;

/** Why a change was not saved; when another operator was faster, with what to do. */
export function ConflictNotice({ error, onLoad }: ConflictNoticeProps) {
  if (!(error instanceof ChangedMeanwhile)) return <ErrorNotice error={error} />;
  return (
    <Alert role="alert" color="yellow" icon={<Users aria-hidden />} title={text.title}>
      {error.message}
      {!error.isDeleted && (
        <Group mt="sm">
          <ActionButton label={text.load} size="xs" variant="default" onClick={onLoad} />
        </Group>
      )}
    </Alert>
  );
}

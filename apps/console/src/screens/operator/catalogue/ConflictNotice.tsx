import { Alert, Button, Group } from '@mantine/core';
import { Users } from 'lucide-react';
import { ErrorNotice } from '../../../ui/index.ts';
import { words } from '../../../words.ts';
import { ChangedMeanwhile } from './catalogue-queries.ts';

interface ConflictNoticeProps {
  readonly error: unknown;
  /** Shows the entry of the other operator. */
  readonly onLoad: () => void;
}

const said = words.catalogue.conflict;

/** Why a change was not saved; when another operator was faster, with what to do. */
export function ConflictNotice({ error, onLoad }: ConflictNoticeProps) {
  if (!(error instanceof ChangedMeanwhile)) return <ErrorNotice error={error} />;
  return (
    <Alert role="alert" color="yellow" icon={<Users aria-hidden />} title={said.title}>
      {error.message}
      {!error.isDeleted && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={onLoad}>
            {said.load}
          </Button>
        </Group>
      )}
    </Alert>
  );
}

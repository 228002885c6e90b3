import { Alert, Button, FileButton, Group, Text } from '@mantine/core';
import { History } from 'lucide-react';
import { type UploadEntry, uploads } from '../../uploads/index.ts';
import { ActionButton } from '../../ui/index.ts';
import { words } from './words.ts';

interface LostUploadsProps {
  readonly entries: readonly UploadEntry[];
  readonly onFiles: (files: readonly File[]) => void;
}

/** Continues uploads that a reload interrupted. The files have to be chosen again, as pages can't keep them. */
export function LostUploads({ entries, onFiles }: LostUploadsProps) {
  const lost = entries.filter(({ status }) => status === 'lost');
  if (lost.length === 0) return null;
  return (
    <Alert color="sea" icon={<History aria-hidden />} title={words.lost(lost.length)}>
      <Text size="sm" c="var(--mantine-color-text)">
        {words.lostHint}
      </Text>
      <Group mt="sm" gap="xs">
        <FileButton multiple onChange={onFiles}>
          {(props) => <ActionButton label={words.chooseFiles} size="xs" variant="default" {...props} />}
        </FileButton>
        <Button size="xs" variant="default" onClick={() => lost.forEach(({ id }) => uploads.remove(id))}>
          {words.forget}
        </Button>
      </Group>
    </Alert>
  );
}

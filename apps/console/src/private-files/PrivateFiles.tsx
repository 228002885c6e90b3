import { Checkbox, Progress, Stack, Text } from '@mantine/core';
import { Link2Off } from 'lucide-react';
import type { WorkspaceFilesResponse } from '../api/index.ts';
import { useRole } from '../shell/index.ts';
import { ActionButton, fullTime, Hint, Note, QueryState, Section, useRecordDialogs } from '../ui/index.ts';
import { usePrivateFiles } from './use-private-files.ts';
import { words } from './words.ts';

type Read = { readonly read: WorkspaceFilesResponse };

/** How long a URL that was signed with the former key still opens. */
const FORMER_KEY_MS = 3_600_000;

/** The readers of the workspace's files, which admins and the owner choose. */
export function PrivateFiles() {
  const isAdmin = useRole('admin');
  const { workspace, change, endUrls } = usePrivateFiles();
  const { ask, dialogs } = useRecordDialogs();
  const read = workspace.data;
  const toggle = () => {
    const next = read?.files === 'private' ? 'public' : 'private';
    ask({ ...(next === 'private' ? words.toPrivate : words.toPublic), color: 'sea' }, () => change(next));
  };
  return (
    <Section title={words.title}>
      <Stack gap="md" maw={640}>
        <Hint>{words.hint}</Hint>
        <QueryState query={workspace} rows={1} height={48} />
        {read && (
          <>
            {isAdmin ? (
              <Checkbox label={words.label} checked={read.files === 'private'} onChange={toggle} />
            ) : (
              <Text>{words.state[read.files]}</Text>
            )}
            <div role="status">
              <Moving read={read} />
            </div>
            {isAdmin && read.files === 'private' && <Ending read={read} onEnd={() => ask(words.ending, endUrls)} />}
            {!isAdmin && <Hint>{words.forAdmins}</Hint>}
          </>
        )}
      </Stack>
      {dialogs}
    </Section>
  );
}

function Moving({ read: { moving } }: Read) {
  if (moving === null) return null;
  const { done, total } = moving;
  return (
    <Stack gap={6}>
      <Progress value={(100 * done) / Math.max(1, total)} aria-label={words.progress} />
      <Text size="sm">{words.moving(done, total)}</Text>
    </Stack>
  );
}

function Ending({ read, onEnd }: Read & { readonly onEnd: () => void }) {
  const { file_key_rotated_at: rotatedAt } = read;
  const since = rotatedAt === null ? null : new Date(rotatedAt);
  return (
    <Stack gap={6} align="flex-start">
      <ActionButton icon={Link2Off} label={words.end} variant="default" onClick={onEnd} />
      <Note>{since ? endOf(since) : words.endHint}</Note>
    </Stack>
  );
}

function endOf(since: Date): string {
  const until = new Date(since.getTime() + FORMER_KEY_MS);
  const shown = fullTime(since);
  return until.getTime() > Date.now() ? words.ended(shown, fullTime(until)) : words.endedBefore(shown);
}

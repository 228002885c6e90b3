import { Group, Progress, Text } from '@mantine/core';
import { CircleAlert, CircleCheck, FileImage, Pause, Play, RotateCw, X } from 'lucide-react';
import { type ActionItem, bytes, EditButton, ErrorText, IconButton, Note, percent, When } from '../ui/index.ts';
import { isActive, type UploadEntry } from './entry.ts';
import { uploads } from './use-uploads.ts';
import classes from './UploadRow.module.css';
import { words } from './words.ts';

/** An upload: its name, its progress or error, and its actions. */
export function UploadRow({ entry }: { readonly entry: UploadEntry }) {
  const { status, name, purpose, error } = entry;
  const isMoving = isActive(entry) || status === 'paused';
  return (
    <div className={classes.row}>
      <StatusIcon status={status} />
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={500} truncate title={name} dir="auto" ta="left">
          {name}
        </Text>
        <Note truncate>
          {[stateOf(entry), purpose].filter(Boolean).join(' · ')}
          {entry.saved?.expires_at && (
            <>
              {' · '}
              {words.expires} <When at={entry.saved.expires_at} />
            </>
          )}
        </Note>
        {isMoving && (
          <Progress
            size={4}
            mt={6}
            radius="xl"
            aria-label={words.progressOf(name)}
            value={entry.size === 0 ? 100 : (entry.sent / entry.size) * 100}
            color={status === 'paused' ? 'gray' : undefined}
            animated={status === 'using'}
          />
        )}
        {status === 'failed' && <ErrorText error={error} />}
      </div>
      <Actions entry={entry} />
    </div>
  );
}

function StatusIcon({ status }: Pick<UploadEntry, 'status'>) {
  if (status === 'done') return <CircleCheck size={20} color="var(--mantine-primary-color-filled)" aria-hidden />;
  if (status === 'failed' || status === 'lost')
    return <CircleAlert size={20} color="var(--mantine-color-error)" aria-hidden />;
  return <FileImage size={20} color="var(--mantine-color-dimmed)" aria-hidden />;
}

function stateOf({ status, sent, size }: UploadEntry): string {
  if (status === 'sending') return words.sending(bytes(sent), bytes(size), percent(size ? sent / size : 1));
  if (status === 'done') return bytes(size);
  return words.states[status];
}

function Actions({ entry: { id, name, status, saved, personaId } }: { readonly entry: UploadEntry }) {
  const { pause, resume, retry, cancel, dismiss } = words;
  return (
    <Group gap={2} wrap="nowrap">
      {status === 'done' && saved && (
        <EditButton on={{ url: saved.url, contentType: saved.content_type, pid: personaId ?? null, output: null }} />
      )}
      {(status === 'waiting' || status === 'sending') && (
        <Action icon={Pause} label={pause(name)} onClick={() => uploads.pause(id)} />
      )}
      {status === 'paused' && <Action icon={Play} label={resume(name)} onClick={() => uploads.resume(id)} />}
      {status === 'failed' && <Action icon={RotateCw} label={retry(name)} onClick={() => uploads.resume(id)} />}
      {status !== 'using' && (
        <Action icon={X} label={status === 'done' ? dismiss(name) : cancel(name)} onClick={() => uploads.remove(id)} />
      )}
    </Group>
  );
}

function Action(action: ActionItem) {
  return <IconButton size={32} title={action.label} {...action} />;
}

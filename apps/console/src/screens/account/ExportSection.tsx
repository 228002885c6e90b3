import { Group, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { authExportsListOptions, type ExportDto } from '../../api/index.ts';
import { ActionButton, bytes, fullTime, notifyError, QueryState } from '../../ui/index.ts';
import { useExportRequest } from './account-queries.ts';
import { Setting } from './Setting.tsx';
import { words } from './words.ts';

const text = words.export;

const POLL_MS = 2000;

function isUnderWay({ state }: ExportDto): boolean {
  return state === 'queued' || state === 'running';
}

/** Requests a zip of the user's data, follows it, and downloads it. */
export function ExportSection() {
  const exports = useQuery({
    ...authExportsListOptions(),
    refetchInterval: ({ state }) => (state.data?.exports.some(isUnderWay) ? POLL_MS : false),
  });
  const request = useExportRequest();
  const { data } = exports;
  const newest = data?.exports[0];
  const isBusy = request.isPending || (newest !== undefined && isUnderWay(newest));
  return (
    <Setting title={text.title} hint={text.hint}>
      <QueryState query={exports} rows={1} height={48} />
      {data && (
        <>
          <div role="status">
            <State newest={newest} isBusy={isBusy} />
          </div>
          <Group gap="xs">
            {newest?.url && !isBusy && <ActionButton component="a" label={text.download} href={newest.url} download />}
            {/* It keeps the focus while it is of no use. */}
            <ActionButton
              label={newest?.url ? text.again : text.request}
              variant="default"
              aria-disabled={isBusy}
              data-disabled={isBusy || undefined}
              onClick={() => !isBusy && request.mutate(undefined, { onError: (failed) => notifyError(failed) })}
            />
          </Group>
        </>
      )}
    </Setting>
  );
}

function State({ newest, isBusy }: { readonly newest: ExportDto | undefined; readonly isBusy: boolean }) {
  if (isBusy) {
    return (
      <Group gap="xs" wrap="nowrap">
        <Loader size="xs" aria-hidden />
        <Text size="sm">{text.underWay}</Text>
      </Group>
    );
  }
  if (newest?.size != null && newest.expires_at !== null) {
    return <Text size="sm">{text.ready(bytes(newest.size), fullTime(new Date(newest.expires_at)))}</Text>;
  }
  if (newest?.state === 'failed') return <Text size="sm">{text.failed}</Text>;
  return newest?.state === 'expired' ? <Text size="sm">{text.expired}</Text> : null;
}

import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { Link2, Pencil, Unlink } from 'lucide-react';
import type { ShareDto } from '../../../api/index.ts';
import {
  ActionMenu,
  ConfirmDialog,
  EmptyState,
  ErrorNotice,
  Loading,
  notifyDone,
  useSubject,
  When,
} from '../../../ui/index.ts';
import { RIGHTS } from './share-form.ts';
import { useSwitchOff, type useShares } from './use-shares.ts';
import { words } from './words.ts';

interface ShareListProps {
  readonly list: ReturnType<typeof useShares>;
  readonly onChange: (share: ShareDto) => void;
}

/** The links of a board: what they allow, and who opened them. */
export function ShareList({ list, onChange }: ShareListProps) {
  const leaving = useSubject<ShareDto>();
  const switchOff = useSwitchOff();
  const { data, error, refetch } = list;
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={2} height={90} />;
  if (data.shares.length === 0) return <EmptyState icon={Link2} title={words.none} hint={words.noneHint} />;
  return (
    <>
      <Stack component="ul" gap="sm" p={0} m={0} aria-label={words.list} style={{ listStyle: 'none' }}>
        {data.shares.map((share) => (
          <Row key={share.id} share={share} onChange={() => onChange(share)} onOff={() => leaving.open(share)} />
        ))}
      </Stack>
      <ConfirmDialog
        opened={leaving.isOpen}
        onClose={leaving.close}
        title={words.offTitle}
        action={words.off}
        onConfirm={async () => {
          await switchOff(leaving.subject!);
          notifyDone(words.switchedOff);
        }}
      >
        <Text>{words.offQuestion(leaving.subject?.name ?? '')}</Text>
      </ConfirmDialog>
    </>
  );
}

interface RowProps {
  readonly share: ShareDto;
  readonly onChange: () => void;
  readonly onOff: () => void;
}

function Row({ share, onChange, onOff }: RowProps) {
  const { name, allow, has_password, watermark, expires_at, created_at, opened_count, last_opened_at } = share;
  const isOver = expires_at !== null && isPast(expires_at);
  return (
    <Paper component="li" withBorder p="md" radius="md">
      <Group justify="space-between" align="start" wrap="nowrap">
        <div style={{ minWidth: 0 }}>
          <Text fw={600} dir="auto">
            {name}{' '}
            <Text span size="sm" c="dimmed">
              {words.items(share.media_count)}
            </Text>
          </Text>
          <Text size="sm" c="dimmed">
            {isOver ? words.expired : expires_at === null ? words.noEnd : words.openUntil}{' '}
            {!isOver && <When at={expires_at} span size="sm" />} · {words.made} <When at={created_at} span size="sm" />
          </Text>
        </div>
        <ActionMenu
          label={words.actionsOf(name)}
          items={[
            { label: words.change, icon: Pencil, onClick: onChange },
            { label: words.off, icon: Unlink, isDangerous: true, onClick: onOff },
          ]}
        />
      </Group>
      <Group gap={6} my="xs">
        {allow.length === 0 && <Badge color="gray">{words.onlyLook}</Badge>}
        {RIGHTS.filter((right) => allow.includes(right)).map((right) => (
          <Badge key={right}>{words.allow[right].label}</Badge>
        ))}
        {has_password && <Badge color="yellow">{words.protected}</Badge>}
        {watermark !== null && <Badge color="yellow">{words.watermarked}</Badge>}
      </Group>
      <Text size="sm">
        {words.opened(opened_count)} <When at={last_opened_at} span size="sm" />
      </Text>
      {share.opened_by.map((visit) => (
        <Text key={`${visit.name} ${visit.last_opened_at}`} size="sm" c="dimmed">
          <bdi>{visit.name}</bdi>: {words.visit(visit.opened_count)} <When at={visit.last_opened_at} span size="sm" />
        </Text>
      ))}
    </Paper>
  );
}

function isPast(time: string): boolean {
  return new Date(time) <= new Date();
}

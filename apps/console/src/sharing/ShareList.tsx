import { Anchor, Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Link2, Pencil, Unlink } from 'lucide-react';
import { useState } from 'react';
import type { ShareDto } from '../api/index.ts';
import { ActionMenu, EmptyState, MoreOfList, notifyDone, QueryState, useRecordDialogs, When } from '../ui/index.ts';
import { formOf, RIGHTS } from './share-form.ts';
import { ShareFields } from './ShareFields.tsx';
import { useShareChange, useSwitchOff, type useShares } from './use-shares.ts';
import { words } from './words.ts';

interface ShareListProps extends ReturnType<typeof useShares> {
  /** True to name the makers of links, and to lead to what they show. */
  readonly isWhole?: boolean;
}

/** Links: what they allow, and who opened them. */
export function ShareList({ list, items: shares, isWhole = false }: ShareListProps) {
  const [changed, setChanged] = useState<ShareDto | null>(null);
  const { ask, dialogs } = useRecordDialogs();
  const switchOff = useSwitchOff();
  if (changed) return <Change share={changed} onDone={() => setChanged(null)} />;
  if (!shares) return <QueryState query={list} rows={2} height={90} />;
  if (shares.length === 0) return <EmptyState icon={Link2} title={words.none} hint={words.noneHint} />;
  return (
    <>
      <Stack component="ul" gap="sm" p={0} m={0} aria-label={words.list} style={{ listStyle: 'none' }}>
        {shares.map((share) => (
          <Row
            key={share.id}
            share={share}
            isWhole={isWhole}
            onChange={() => setChanged(share)}
            onOff={() => ask(words.switchOff(share.name), () => switchOff(share))}
          />
        ))}
      </Stack>
      <MoreOfList query={list} />
      {dialogs}
    </>
  );
}

interface RowProps {
  readonly share: ShareDto;
  readonly isWhole: boolean;
  readonly onChange: () => void;
  readonly onOff: () => void;
}

function Row({ share, isWhole, onChange, onOff }: RowProps) {
  const { name, allow, has_password, watermark, label, expires_at, opened_count, last_opened_at } = share;
  const { board_id: board, folder_id: folder, created_by: maker } = share;
  const isOver = expires_at !== null && isPast(expires_at);
  const isLink = isWhole && board !== null;
  return (
    <Paper component="li" withBorder p="md" radius="md">
      <Group justify="space-between" align="start" wrap="nowrap">
        <div style={{ minWidth: 0 }}>
          <Text fw={600} dir="auto" style={{ overflowWrap: 'anywhere' }}>
            {isLink ? <Anchor component={Link} {...linkTo(board, folder)} inherit children={name} /> : name}{' '}
            <Text span size="sm" c="dimmed">
              {words.shows(board, folder, share.media_count)}
            </Text>
          </Text>
          <Text size="sm" c="dimmed">
            {expires_at === null ? words.noEnd : isOver ? words.ended : words.openUntil}{' '}
            <When at={expires_at} span size="sm" /> · {words.made} <When at={share.created_at} span size="sm" />
            {maker.name && (
              <>
                {words.by} <bdi>{maker.name}</bdi>
              </>
            )}
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
        <Badge color={isOver ? 'red' : 'sea'}>{isOver ? words.expired : words.open}</Badge>
        {allow.length === 0 && <Badge color="gray">{words.onlyLook}</Badge>}
        {RIGHTS.filter((right) => allow.includes(right)).map((right) => (
          <Badge key={right}>{words.allow[right].label}</Badge>
        ))}
        {has_password && <Badge color="yellow">{words.protected}</Badge>}
        {watermark !== null && <Badge color="yellow">{words.watermarked}</Badge>}
        {label !== null && <Badge color="yellow">{words.label}</Badge>}
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

const isPast = (time: string) => new Date(time) <= new Date();

const linkTo = (board: number, folder: number | null) =>
  ({ to: `/boards/${board}`, search: { folder: folder ?? undefined } }) as object;

function Change({ share, onDone }: { readonly share: ShareDto; readonly onDone: () => void }) {
  const change = useShareChange(share);
  return (
    <Stack gap="md" maw={640}>
      <Text fw={600} dir="auto">
        {words.changeTitle(share.name)}
      </Text>
      <ShareFields
        initial={formOf(share)}
        before={share}
        action={words.save}
        sending={change}
        onCancel={onDone}
        onSend={(form) =>
          change.mutate(form, {
            onSuccess: () => {
              notifyDone(words.changed);
              onDone();
            },
          })
        }
      />
    </Stack>
  );
}

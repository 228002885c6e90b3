import { ActionIcon, Button, Loader, Menu, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Ellipsis, FolderInput, ImageOff, RotateCcw, Sparkles, Trash2, UserRound } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { MediaDto } from '../../api/index.ts';
import { mediaKind, MediaViewer, UseAsSlotDialog, type ViewedMedia } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { MediaDetails } from './MediaDetails.tsx';
import { nameOf } from './media-names.ts';
import type { BoardActions } from './use-board-actions.ts';

const said = words.boards;

interface BoardViewerProps {
  readonly media: readonly MediaDto[];
  readonly openId: number | null;
  readonly onOpen: (id: number | null) => void;
  readonly folderName: string;
  readonly actions: BoardActions;
  readonly onMove: (id: number) => void;
  readonly onDelete: (id: number) => void;
}

/** A media item over the whole window, with its details and actions. */
export function BoardViewer({ media, openId, onOpen, folderName, actions, onMove, onDelete }: BoardViewerProps) {
  const isOpen = openId !== null;
  const viewed = useMemo(() => (isOpen ? media.map(viewedOf) : []), [media, isOpen]);
  const [slotUrl, setSlotUrl] = useState<string | null>(null);
  const open = media.find(({ id }) => id === openId);
  const remove = (id: number) => {
    const index = media.findIndex((each) => each.id === id);
    onOpen((media[index + 1] ?? media[index - 1])?.id ?? null);
    onDelete(id);
  };
  return (
    <>
      <MediaViewer
        media={viewed}
        openId={openId}
        onOpen={(id) => onOpen(id as number | null)}
        details={() => open && <MediaDetails media={open} folderName={folderName} />}
        absent={() => open && <Absent media={open} onRetry={() => void actions.retry([open])} />}
        actions={() =>
          open && (
            <Tools media={open} onSlot={setSlotUrl} onMove={() => onMove(open.id)} onDelete={() => remove(open.id)} />
          )
        }
      />
      <UseAsSlotDialog url={slotUrl} onClose={() => setSlotUrl(null)} />
    </>
  );
}

function viewedOf(media: MediaDto): ViewedMedia {
  return { ...media, url: media.url ?? media.control_image, name: nameOf(media) };
}

interface ToolsProps {
  readonly media: MediaDto;
  readonly onSlot: (url: string) => void;
  readonly onMove: () => void;
  readonly onDelete: () => void;
}

function Tools({ media, onSlot, onMove, onDelete }: ToolsProps) {
  const { url } = media;
  const isPicture = url !== null && mediaKind(media.content_type) === 'picture';
  return (
    <>
      {isPicture && (
        <Button
          component={Link}
          {...generateLink(url)}
          size="compact-md"
          variant="light"
          visibleFrom="sm"
          leftSection={<Sparkles size={16} aria-hidden />}
        >
          {said.useInGenerate}
        </Button>
      )}
      <Menu>
        <Menu.Target>
          <ActionIcon c="var(--mantine-color-text)" aria-label={said.more}>
            <Ellipsis size={19} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isPicture && (
            <>
              <Menu.Item
                component={Link}
                {...generateLink(url)}
                hiddenFrom="sm"
                leftSection={<Sparkles size={16} aria-hidden />}
              >
                {said.useInGenerate}
              </Menu.Item>
              <Menu.Item leftSection={<UserRound size={16} aria-hidden />} onClick={() => onSlot(url)}>
                {said.useAsSlot}
              </Menu.Item>
            </>
          )}
          <Menu.Item leftSection={<FolderInput size={16} aria-hidden />} onClick={onMove}>
            {said.moveTo}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<Trash2 size={16} aria-hidden />} onClick={onDelete}>
            {said.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

const generateLink = (image: string) => ({ to: '/generate', search: { image } }) as object;

function Absent({ media, onRetry }: { readonly media: MediaDto; readonly onRetry: () => void }) {
  if (media.state === 'created') {
    return (
      <Stack align="center" gap="sm" p="lg" ta="center">
        <Loader />
        <Text fw={600}>{said.preparing}</Text>
        <Text c="dimmed">{said.preparingHint}</Text>
      </Stack>
    );
  }
  if (media.state === 'processed') return <Text c="dimmed">{said.noFile}</Text>;
  const code = media.error ?? 'internal_error';
  return (
    <Stack align="center" gap="sm" maw={420} p="lg" ta="center">
      <ImageOff size={40} strokeWidth={1.25} aria-hidden />
      <Text fw={600}>{said.failed}</Text>
      <Text>{said.reasons[code] ?? said.otherReason}</Text>
      <Text size="xs" c="dimmed">
        {said.reason(code)}
      </Text>
      <Button leftSection={<RotateCcw size={16} aria-hidden />} onClick={onRetry}>
        {said.retry}
      </Button>
    </Stack>
  );
}

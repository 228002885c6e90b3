import { ActionIcon, Button, Loader, Menu, Stack, Text, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Columns2, Ellipsis, FolderInput, ImageOff, RotateCcw, Sparkles, Trash2, UserRound } from 'lucide-react';
import { type ComponentProps, useMemo, useRef, useState } from 'react';
import type { MediaDto } from '../../api/index.ts';
import {
  type ActedOn,
  besideOf,
  type Made,
  mediaKind,
  MediaViewer,
  notifyDone,
  TaskButtons,
  TaskItems,
  uiWords,
  UseAsSlotDialog,
  useMade,
  useReadMade,
  type ViewedMedia,
} from '../../ui/index.ts';
import { DrawingArea } from '../../drawing/DrawingArea.tsx';
import { Strokes } from '../../drawing/Strokes.tsx';
import { strokesOver } from '../../drawing/strokes.ts';
import { MediaDetails } from './MediaDetails.tsx';
import { generationOf, nameOf, promptOf } from './media-names.ts';
import { type Decision, nextUndecided } from './review/decisions.ts';
import { Pins } from './review/Pins.tsx';
import { focusComment, ReviewPanel } from './review/ReviewPanel.tsx';
import { useAutoAdvance } from './review/Rounds.tsx';
import { type Review, useReview } from './review/use-review.ts';
import { newestOf, useRounds } from './review/use-rounds.ts';
import { useVersions } from './review/use-versions.ts';
import { VersionsDialog } from './review/VersionsDialog.tsx';
import { words as reviewWords } from './review/words.ts';
import type { BoardActions } from './use-board-actions.ts';
import { useWithOpen } from './use-with-open.ts';
import { words } from './words.ts';

interface BoardViewerProps {
  readonly boardId: number;
  /** The items of the folder that are shown. */
  readonly media: readonly MediaDto[];
  /** All items of the board. */
  readonly all: readonly MediaDto[];
  readonly openId: number | null;
  readonly onOpen: (id: number | null) => void;
  /** True if the versions of the open item are compared. */
  readonly isComparing: boolean;
  readonly onCompare: (isComparing: boolean) => void;
  readonly folderName: string;
  readonly actions: BoardActions;
  readonly onMove: (id: number) => void;
  readonly onDelete: (id: number) => void;
}

/** A media item over the whole window, with its review, details and actions. */
export function BoardViewer(props: BoardViewerProps) {
  const { boardId, all, onOpen, isComparing, onCompare, folderName, actions, onMove, onDelete } = props;
  const openId = newestOf(all, props.openId);
  const { media, isGone } = useWithOpen(props.media, all, openId);
  const open = media.find(({ id }) => id === openId);
  const { earlier, show, review, decide } = useReviewed(boardId, media, open, isGone, onOpen);
  const viewed = useViewed(openId === null ? NONE : media, open, earlier);
  const [slotUrl, setSlotUrl] = useState<string | null>(null);
  const { made, acted } = useActedOn(open);
  const versions = useVersions(made);
  const { seek, momentOf, still, video } = useMoment();
  const compare = versions !== null && !isGone ? () => onCompare(true) : undefined;
  const remove = (id: number) => {
    onOpen(besideOf(media, id));
    onDelete(id);
  };
  return (
    <>
      <MediaViewer
        media={viewed}
        openId={openId}
        onOpen={onOpen}
        onRename={({ item }, name) => void actions.rename(item, name)}
        origin={({ item }) => acted(item).whole()}
        details={({ item }) => (
          <Details
            {...{ boardId, isGone, review, momentOf, made, folderName, newest: item, media: earlier ?? item }}
            {...{ onShow: show, onDecide: decide, onSeek: seek }}
          />
        )}
        overlay={({ item }) => <ReviewOverlay {...{ item, review, still }} />}
        video={video}
        keys={{ ...(!earlier && reviewKeys(media, open, decide, onOpen)), ...(compare && { v: compare }) }}
        toolbar={({ item }) => [
          compare && <CompareButton key="compare" onClick={compare} />,
          !isGone && <TaskButtons key="tasks" {...acted(item)} />,
        ]}
        absent={({ item }) => <Absent media={item} onRetry={() => void actions.retry([item])} />}
        actions={({ item }) =>
          !isGone && (
            <Tools
              media={item}
              {...acted(item)}
              onSlot={setSlotUrl}
              onMove={() => onMove(item.id)}
              onDelete={() => remove(item.id)}
            />
          )
        }
      />
      <VersionsDialog
        {...{ boardId, all, openId }}
        versions={isComparing ? versions : null}
        onClose={() => onCompare(false)}
      />
      <UseAsSlotDialog url={slotUrl} onClose={() => setSlotUrl(null)} />
    </>
  );
}

const NONE: readonly MediaDto[] = [];

/** The items of the viewer, with the picture of an earlier version in place of the newest. */
function useViewed(media: readonly MediaDto[], open: MediaDto | undefined, earlier: MediaDto | undefined) {
  return useMemo(
    () => media.map((item) => ({ ...viewedOf((item === open && earlier) || item), id: item.id, item })),
    [media, open, earlier],
  );
}

function Details({ folderName, ...review }: ComponentProps<typeof ReviewPanel> & { readonly folderName: string }) {
  return (
    <Stack gap="lg">
      <ReviewPanel {...review} />
      <MediaDetails media={review.media} folderName={folderName} />
    </Stack>
  );
}

interface Viewed extends ViewedMedia {
  readonly id: number;
  readonly item: MediaDto;
}

function viewedOf(item: MediaDto): Viewed {
  return { ...item, url: item.url ?? item.control_image, name: nameOf(item), item };
}

/** Input of one-click actions: the known facts of the open item, and a promise of the rest. */
function useActedOn(open: MediaDto | undefined) {
  const made = useMade(open ? generationOf(open) : null, open?.url);
  const readMade = useReadMade();
  const acted = (item: MediaDto) => ({
    on: actedOn(item, made),
    whole: async () => actedOn(item, await readMade(generationOf(item), item.url)),
  });
  return { made, acted };
}

/** The moment of the open video, which comments name and lead to. */
function useMoment() {
  const moment = useRef<number | null>(null);
  const [seek, setSeek] = useState<{ readonly seconds: number } | null>(null);
  const [still, onStill] = useState<number | null>(null);
  return {
    seek: (seconds: number) => setSeek({ seconds }),
    momentOf: () => moment.current,
    still,
    video: { seek, onTime: (seconds: number) => void (moment.current = seconds), onStill },
  };
}

type Decide = (decision: Decision) => void;

/**
 * The review of the open item, or of an earlier version in its place. A decision leads to the next item without one, unless
 * people have switched that off.
 */
function useReviewed(
  boardId: number,
  media: readonly MediaDto[],
  open: MediaDto | undefined,
  isGone: boolean,
  onOpen: (id: number) => void,
) {
  const { earlier, show } = useRounds(boardId, open);
  const review = useReview(boardId, earlier ?? open, isGone);
  const [advances] = useAutoAdvance();
  const decide: Decide = (decision) => {
    review.decide(decision);
    if (advances && decision !== 'none') openNext(media, open, onOpen);
  };
  return { earlier, show, review, decide };
}

function openNext(media: readonly MediaDto[], open: MediaDto | undefined, onOpen: (id: number) => void): void {
  const next = open && nextUndecided(media, open.id);
  if (next) onOpen(next.id);
  else notifyDone(reviewWords.allDecided);
}

function reviewKeys(
  media: readonly MediaDto[],
  open: MediaDto | undefined,
  decide: Decide,
  onOpen: (id: number) => void,
) {
  return {
    a: () => decide('approved'),
    r: () => decide('changes_requested'),
    c: focusComment,
    n: () => openNext(media, open, onOpen),
  };
}

interface ReviewOverlayProps {
  readonly item: MediaDto;
  readonly review: Review;
  /** The moment where the video stands; null while it plays. */
  readonly still: number | null;
}

/** The pins and drawings of the review, and the place for new ones. */
function ReviewOverlay({ item: { width, height }, review, still }: ReviewOverlayProps) {
  const { comments, activeId, draft, change, setActive } = review;
  const { drawing, pad } = draft;
  const ratio = width && height ? width / height : null;
  if (pad && ratio !== null) return <DrawingArea {...{ drawing, pad, ratio }} onChange={change} />;
  return (
    <>
      {ratio !== null && <Strokes strokes={strokesOver(comments, activeId, draft, still)} ratio={ratio} />}
      <Pins
        comments={comments}
        activeId={activeId}
        draft={draft.point}
        isPlacing={draft.isPlacing}
        onPlace={(point) => {
          change({ point, time: null, isPlacing: false });
          focusComment();
        }}
        onOpen={setActive}
      />
    </>
  );
}

function CompareButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <Tooltip label={`${reviewWords.compareVersions} (V)`}>
      <Button size="compact-sm" variant="default" leftSection={<Columns2 size={15} aria-hidden />} onClick={onClick}>
        {reviewWords.compareVersions}
      </Button>
    </Tooltip>
  );
}

interface ToolsProps {
  readonly media: MediaDto;
  readonly on: ActedOn;
  readonly whole: () => Promise<ActedOn>;
  readonly onSlot: (url: string) => void;
  readonly onMove: () => void;
  readonly onDelete: () => void;
}

function Tools({ media, on, whole, onSlot, onMove, onDelete }: ToolsProps) {
  const { url } = media;
  const isPicture = isPictureOf(media);
  return (
    <>
      {isPicture && (
        <Button
          component={Link}
          {...generateLink(url!)}
          size="compact-md"
          variant="light"
          visibleFrom="sm"
          leftSection={<Sparkles size={16} aria-hidden />}
        >
          {words.useInGenerate}
        </Button>
      )}
      <Menu>
        <Menu.Target>
          <ActionIcon c="var(--mantine-color-text)" aria-label={words.more}>
            <Ellipsis size={19} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <TaskItems on={on} whole={whole} />
          {isPicture && (
            <>
              <Menu.Item
                component={Link}
                {...generateLink(url!)}
                hiddenFrom="sm"
                leftSection={<Sparkles size={16} aria-hidden />}
              >
                {words.useInGenerate}
              </Menu.Item>
              <Menu.Item leftSection={<UserRound size={16} aria-hidden />} onClick={() => onSlot(url!)}>
                {words.useAsSlot}
              </Menu.Item>
            </>
          )}
          <Menu.Item leftSection={<FolderInput size={16} aria-hidden />} onClick={onMove}>
            {words.moveTo}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<Trash2 size={16} aria-hidden />} onClick={onDelete}>
            {words.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

/** A media item as the picture that one-click actions go on from. */
function actedOn(media: MediaDto, made: Made | null): ActedOn {
  const output = made && { generation_id: made.generation.id, output: made.output.index };
  const contentType = isPictureOf(media) ? media.content_type : null;
  return { url: media.url ?? '', contentType, prompt: promptOf(media), pid: null, output };
}

function isPictureOf({ url, content_type }: MediaDto): boolean {
  return url !== null && mediaKind(content_type) === 'picture';
}

const generateLink = (image: string) => ({ to: '/generate', search: { image } }) as object;

function Absent({ media, onRetry }: { readonly media: MediaDto; readonly onRetry: () => void }) {
  if (media.state === 'created') {
    return (
      <Stack align="center" gap="sm" p="lg" ta="center">
        <Loader />
        <Text fw={600}>{words.preparing}</Text>
        <Text c="dimmed">{words.preparingHint}</Text>
      </Stack>
    );
  }
  if (media.state === 'processed') return <Text c="dimmed">{uiWords.tile.noFile}</Text>;
  const code = media.error ?? 'internal_error';
  return (
    <Stack align="center" gap="sm" maw={420} p="lg" ta="center">
      <ImageOff size={40} strokeWidth={1.25} aria-hidden />
      <Text fw={600}>{words.failed}</Text>
      <Text>{words.reasons[code] ?? words.otherReason}</Text>
      <Text size="xs" c="dimmed">
        {words.reason(code)}
      </Text>
      <Button leftSection={<RotateCcw size={16} aria-hidden />} onClick={onRetry}>
        {words.retry}
      </Button>
    </Stack>
  );
}

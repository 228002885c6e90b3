import { Alert, Button, Collapse, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Trash2 } from 'lucide-react';
import type { CommentDto, MediaDto } from '../../../api/index.ts';
import { ErrorNotice, Hint, Loading, type Made, mediaKind } from '../../../ui/index.ts';
import { CommentForm } from './CommentForm.tsx';
import { CommentThread } from './CommentThread.tsx';
import { type Decision, DECISIONS } from './decisions.ts';
import { LatestDecision } from './LatestDecision.tsx';
import { PlaceButtons } from './PlaceButtons.tsx';
import { Answer, AutoAdvance, VersionSwitch } from './Rounds.tsx';
import { threadsOf } from './threads.ts';
import type { Review } from './use-review.ts';
import { words } from './words.ts';

const CHOICES = DECISIONS.map((value) => ({ value, label: words.decisions[value] }));

interface ReviewPanelProps {
  readonly boardId: number;
  /** The version that is shown. */
  readonly media: MediaDto;
  readonly newest: MediaDto;
  readonly made: Made | null;
  /** Shows a version. */
  readonly onShow: (id: number) => void;
  readonly onDecide: (decision: Decision) => void;
  /** True if somebody has deleted it. */
  readonly isGone: boolean;
  readonly review: Review;
  /** The moment that the video shows now. */
  readonly momentOf: () => number | null;
  readonly onSeek: (seconds: number) => void;
}

/** The decision about an item, and its comments. */
export function ReviewPanel(props: ReviewPanelProps) {
  const { boardId, media, newest, made, onShow, onDecide, isGone, review, momentOf, onSeek } = props;
  const isEarlier = media.id !== newest.id;
  const { draft, change } = review;
  const kind = mediaKind(media.content_type);
  return (
    <Stack gap="sm" component="section">
      {isGone && (
        <Alert color="yellow" role="alert" icon={<Trash2 aria-hidden />} title={words.gone}>
          <Text size="sm" c="var(--mantine-color-text)">
            {words.goneHint}
          </Text>
        </Alert>
      )}
      <VersionSwitch media={newest} shownId={media.id} onShow={onShow} />
      <Title order={2}>{words.decision}</Title>
      <SegmentedControl
        disabled={isGone || isEarlier}
        fullWidth
        orientation="vertical"
        aria-label={words.decision}
        data={CHOICES}
        value={media.decision}
        onChange={(value) => onDecide(value as Decision)}
      />
      <LatestDecision boardId={boardId} media={media} />
      {isEarlier ? <Hint>{words.newerVersion}</Hint> : !isGone && <Answer {...{ boardId, media, made, review }} />}
      <AutoAdvance />
      <Text size="xs" c="dimmed" visibleFrom="sm">
        {words.keys}
      </Text>
      <Title order={2} mt="xs">
        {words.comments}
      </Title>
      <Threads review={review} onSeek={onSeek} />
      <CommentForm
        key={media.id}
        draft={`item ${media.id}`}
        isClosed={isGone}
        label={words.write}
        action={words.send}
        keyTarget
        onSubmit={(text) => review.write(text)}
        before={
          <PlaceButtons
            draft={draft}
            isPicture={kind === 'picture' && media.url !== null}
            momentOf={kind === 'video' ? momentOf : null}
            isDrawable={Boolean(media.width && media.height)}
            onSeek={onSeek}
            onChange={change}
            onDrawn={focusComment}
          />
        }
      />
    </Stack>
  );
}

export const focusComment = () => document.querySelector<HTMLElement>('[data-comment]')?.focus();

/** The comments of an item by thread; those that are resolved are folded. */
function Threads({ review, onSeek }: Pick<ReviewPanelProps, 'review' | 'onSeek'>) {
  const { list, comments } = review;
  const { open, resolved } = threadsOf(comments);
  const [isUnfolded, { toggle }] = useDisclosure(false);
  const openPlace = ({ id, time, drawing }: CommentDto) => {
    review.setActive(time === null && drawing && review.activeId === id ? null : id);
    if (time !== null) onSeek(time);
  };
  const thread = (each: (typeof open)[number]) => (
    <CommentThread
      key={each.first.id}
      thread={each}
      isActive={review.activeId === each.first.id}
      review={review}
      onOpen={() => openPlace(each.first)}
    />
  );
  return (
    <>
      {list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading rows={2} height={60} />}
      {list.data && comments.length === 0 && (
        <Text size="sm" c="dimmed">
          {words.noComments}
        </Text>
      )}
      {open.map(thread)}
      {resolved.length > 0 && (
        <>
          <Button
            variant="subtle"
            size="compact-sm"
            aria-expanded={isUnfolded}
            onClick={toggle}
            style={{ alignSelf: 'start' }}
          >
            {words.resolved(resolved.length)}
          </Button>
          <Collapse expanded={isUnfolded}>
            <Stack gap="sm">{resolved.map(thread)}</Stack>
          </Collapse>
        </>
      )}
    </>
  );
}

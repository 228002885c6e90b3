import { Button, Checkbox, Group, Loader, SegmentedControl, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { boardsMediaDecisionsListOptions, type MediaDto, refresh, x12 } from '../../../api/index.ts';
import { later, type Made, MediaPicker, notifyError, usePreference } from '../../../ui/index.ts';
import { threadsOf } from './threads.ts';
import type { Review } from './use-review.ts';
import { makeNext, useIsUnderWay } from './use-rounds.ts';
import { words } from './words.ts';

const TryAgain = later('made', async () => (await import('./TryAgain.tsx')).TryAgain);

interface VersionSwitchProps {
  /** The newest version. */
  readonly media: MediaDto;
  readonly shownId: number;
  readonly onShow: (id: number) => void;
}

/** Shows an earlier version in the place of the newest. */
export function VersionSwitch({ media: { versions }, shownId, onShow }: VersionSwitchProps) {
  if (versions.length === 1) return null;
  return (
    <SegmentedControl
      fullWidth
      aria-label={words.versions}
      data={versions.map((id, index) => ({ value: String(id), label: words.version(index + 1) }))}
      value={String(shownId)}
      onChange={(id) => onShow(Number(id))}
    />
  );
}

interface AnswerProps {
  readonly boardId: number;
  readonly media: MediaDto;
  /** How the item was made; null for an item that no generation made. */
  readonly made: Made | null;
  readonly review: Review;
}

/** Answers a request for changes: by a new version, or by closing it. */
export function Answer({ boardId, media, made, review }: AnswerProps) {
  const [way, setWay] = useState<'again' | 'other' | null>(null);
  const queries = useQueryClient();
  const isUnderWay = useIsUnderWay(media.id);
  const path = { board_id: boardId, id: media.id };
  const { data } = useQuery({ ...boardsMediaDecisionsListOptions({ path }), enabled: media.changes_open });
  const texts = [data?.decisions[0]?.text, ...threadsOf(review.comments).open.map(({ first }) => first.text)];
  const close = () => setWay(null);
  const closeRequest = () =>
    void x12.boards.media.decisions
      .close(path)
      .then(() => refresh(queries, 'boards', 'decisions'))
      .catch(notifyError);
  if (isUnderWay) {
    return (
      <Group gap="xs" role="status">
        <Loader size={16} aria-hidden />
        <Text size="sm">{words.versionUnderWay(media.version + 1)}</Text>
      </Group>
    );
  }
  if (!media.changes_open) return null;
  return (
    <>
      <TryAgain
        {...{ boardId, media }}
        made={way === 'again' ? made : null}
        asked={[...new Set(texts)].filter((text) => typeof text === 'string')}
        onClose={close}
      />
      {way !== 'again' && (
        <Group gap="xs">
          {made && <Button size="compact-sm" onClick={() => setWay('again')} children={words.tryAgain} />}
          <Button size="compact-sm" variant="default" onClick={() => setWay('other')} children={words.otherPicture} />
          <Button size="compact-sm" variant="subtle" onClick={closeRequest} children={words.closeRequest} />
        </Group>
      )}
      <MediaPicker
        opened={way === 'other'}
        title={words.nextVersion(media.version + 1)}
        accept="all"
        onPick={([picked]) => void makeNext(queries, boardId, media, async () => ({ url: picked!.url }))}
        onClose={close}
      />
    </>
  );
}

/** The choice of the account: a decision leads to the next item without one. */
export function useAutoAdvance() {
  const [value, set] = usePreference('auto_advance');
  return [value !== undefined && value !== 'off', (isOn: boolean) => set(isOn ? 'on' : 'off')] as const;
}

export function AutoAdvance() {
  const [isOn, set] = useAutoAdvance();
  return (
    <Checkbox
      size="xs"
      label={words.autoAdvance}
      checked={isOn}
      onChange={(event) => set(event.currentTarget.checked)}
    />
  );
}

import { Button, Group, Text } from '@mantine/core';
import { Clock, MapPin, X } from 'lucide-react';
import { momentText } from './threads.ts';
import type { Draft } from './use-review.ts';
import { words } from './words.ts';

interface PlaceButtonsProps {
  readonly draft: Draft;
  readonly isPicture: boolean;
  /** The moment that the video shows now; null if the item is not a video. */
  readonly momentOf: (() => number | null) | null;
  readonly onChange: (part: Partial<Draft>) => void;
}

/** Buttons for the position of a new comment: the whole item, a point of a picture, or a moment of a video. */
export function PlaceButtons({ draft, isPicture, momentOf, onChange }: PlaceButtonsProps) {
  const { point, time, isPlacing } = draft;
  const isPlaced = point !== null || time !== null;
  if (isPlaced) {
    return (
      <Group gap="xs">
        <Text size="sm">{time === null ? words.pinned : words.at(momentText(time))}</Text>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<X size={13} aria-hidden />}
          onClick={() => onChange({ point: null, time: null })}
        >
          {words.unpin}
        </Button>
      </Group>
    );
  }
  if (momentOf) {
    return (
      <Group>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Clock size={14} aria-hidden />}
          onClick={() => onChange({ time: momentOf() })}
        >
          {words.moment}
        </Button>
      </Group>
    );
  }
  if (!isPicture) return null;
  return (
    <>
      <Group>
        <Button
          size="compact-sm"
          variant={isPlacing ? 'light' : 'default'}
          aria-pressed={isPlacing}
          leftSection={<MapPin size={14} aria-hidden />}
          onClick={() => onChange({ isPlacing: !isPlacing })}
        >
          {words.pin}
        </Button>
      </Group>
      {isPlacing && (
        <Text size="xs" c="dimmed" role="status">
          {words.pinHint}
        </Text>
      )}
    </>
  );
}

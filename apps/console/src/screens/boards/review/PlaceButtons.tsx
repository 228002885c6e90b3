import { Button, Group, Text } from '@mantine/core';
import { Clock, MapPin, PenLine, X } from 'lucide-react';
import { DrawingTools } from '../../../drawing/DrawingTools.tsx';
import { padOver } from '../../../drawing/strokes.ts';
import { words as drawingWords } from '../../../drawing/words.ts';
import { momentText } from './threads.ts';
import type { Draft } from './use-review.ts';
import { words } from './words.ts';

interface PlaceButtonsProps {
  readonly draft: Draft;
  readonly isPicture: boolean;
  /** True if its size is known. */
  readonly isDrawable: boolean;
  /** The moment that the video shows now; null if the item is not a video. */
  readonly momentOf: (() => number | null) | null;
  readonly onSeek: (seconds: number) => void;
  readonly onChange: (part: Partial<Draft>) => void;
  /** Called when the drawing has ended. */
  readonly onDrawn: () => void;
}

const BUTTON = { size: 'compact-sm', variant: 'default' } as const;

/** Buttons for the position of a new comment: the whole item, a point of a picture, or a moment of a video; and for its drawing. */
export function PlaceButtons(props: PlaceButtonsProps) {
  const { draft, isPicture, isDrawable, momentOf, onSeek, onChange, onDrawn } = props;
  const { point, time, isPlacing, drawing, pad } = draft;
  if (pad) return <DrawingTools drawing={drawing} pad={pad} onChange={onChange} onEnd={onDrawn} />;
  if (!momentOf && !isPicture) return null;
  const draw = () => {
    const moment = momentOf && (time ?? momentOf() ?? 0);
    if (moment !== null) onSeek(moment);
    onChange({ time: moment, isPlacing: false, ...padOver(draft) });
  };
  return (
    <>
      <Group gap="xs">
        {point !== null || time !== null ? (
          <>
            <Text size="sm">{time === null ? words.pinned : words.at(momentText(time))}</Text>
            <Button
              size="compact-xs"
              variant="subtle"
              leftSection={<X size={13} aria-hidden />}
              // A drawing over a moment goes with it.
              onClick={() => onChange({ point: null, time: null, ...(time !== null && { drawing: [] }) })}
            >
              {words.unpin}
            </Button>
          </>
        ) : momentOf ? (
          <Button
            {...BUTTON}
            leftSection={<Clock size={14} aria-hidden />}
            onClick={() => onChange({ time: momentOf() })}
          >
            {words.moment}
          </Button>
        ) : (
          <Button
            {...BUTTON}
            variant={isPlacing ? 'light' : 'default'}
            aria-pressed={isPlacing}
            leftSection={<MapPin size={14} aria-hidden />}
            onClick={() => onChange({ isPlacing: !isPlacing })}
          >
            {words.pin}
          </Button>
        )}
        {isDrawable && (
          <Button {...BUTTON} leftSection={<PenLine size={14} aria-hidden />} onClick={draw}>
            {drawing.length > 0 ? drawingWords.change : drawingWords.draw}
          </Button>
        )}
      </Group>
      {isPlacing && (
        <Text size="xs" c="dimmed" role="status">
          {words.pinHint}
        </Text>
      )}
    </>
  );
}

import { Rating, type RatingProps } from '@mantine/core';
import { useRef } from 'react';
import { words } from './words.ts';

type StarsProps = Pick<RatingProps, 'value' | 'size' | 'aria-label' | 'aria-labelledby'> & {
  readonly onRate: (stars: number) => void;
};

/** A rating. A press of its last star takes it off. */
export function Stars({ onRate, ...props }: StarsProps) {
  const isRating = useRef(false);
  const rate = (stars: number) => {
    // A click on a star is followed, in the same task, by a change of its field.
    if (isRating.current) return;
    isRating.current = true;
    setTimeout(() => (isRating.current = false));
    onRate(stars);
  };
  return <Rating {...props} allowClear getSymbolLabel={words.stars} onChange={rate} />;
}

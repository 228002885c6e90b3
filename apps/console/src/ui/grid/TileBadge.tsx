import type { ReactNode } from 'react';
import classes from './MediaGrid.module.css';

interface TileBadgeProps {
  readonly at: 'top-start' | 'top-end' | 'bottom-start' | 'bottom-end';
  /** Set where the label of the tile says the same. */
  readonly 'aria-hidden'?: boolean;
  readonly children: ReactNode;
}

/** A fact about an item, such as its rating, in a corner of its tile. */
export function TileBadge({ at, children, ...rest }: TileBadgeProps) {
  return (
    <span className={classes.badge} data-at={at} {...rest}>
      {children}
    </span>
  );
}

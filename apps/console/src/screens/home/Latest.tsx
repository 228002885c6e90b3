import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { LibraryItemDto } from '../../api/index.ts';
import { itemOf, LIBRARY_LOOK } from '../../library/index.ts';
import { Section } from '../../ui/index.ts';
import classes from './HomePage.module.css';
import { words } from './words.ts';

interface LatestProps {
  readonly items: readonly LibraryItemDto[];
  readonly isPending: boolean;
}

/** The newest outputs of the workspace. */
export function Latest({ items, isPending }: LatestProps) {
  return (
    <Section
      title={words.latest.title}
      actions={
        <Link to="/library" className={classes.link}>
          {words.latest.all}
        </Link>
      }
    >
      <ul className={classes.mosaic}>
        {isPending &&
          Array.from({ length: 6 }, (_, tile) => <Skeleton component="li" key={tile} className={classes.tile} />)}
        {items.map(itemOf).map((item) => (
          <li key={item.id} className={classes.tile}>
            <Link
              to="/library"
              search={{ open: item.id } as never}
              className={classes.item}
              aria-label={LIBRARY_LOOK.describe(item)}
            >
              {LIBRARY_LOOK.content(item, 200)}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

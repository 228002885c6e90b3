import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { GenerationResponse } from '../../api/index.ts';
import { MediaThumb, Section } from '../../ui/index.ts';
import { words } from '../../words.ts';
import classes from './HomePage.module.css';

interface LatestProps {
  readonly generations: readonly GenerationResponse[];
  readonly isPending: boolean;
}

/** The first output of each of the last generations. */
export function Latest({ generations, isPending }: LatestProps) {
  return (
    <Section
      title={words.home.latest.title}
      actions={
        <Link to="/history" className={classes.link}>
          {words.home.latest.all}
        </Link>
      }
    >
      <ul className={classes.wall}>
        {isPending &&
          Array.from({ length: 6 }, (_, tile) => <Skeleton component="li" key={tile} className={classes.tile} />)}
        {generations.map(({ id, outputs: [output], prompt, model }) => (
          <li key={id} className={classes.tile}>
            {output && <MediaThumb media={output} alt={prompt ?? model} width={200} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}

import { Group, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { product } from '../../places.ts';
import { Mark } from '../../shell/index.ts';
import { StrongLink } from '../../ui/index.ts';
import classes from './Entrance.module.css';
import { words } from './words.ts';

interface EntranceProps {
  readonly title: string;
  readonly hint?: ReactNode;
  readonly children: ReactNode;
}

/** The page for people who are not signed in: a form at one side, decorative tiles at the other. */
export function Entrance({ title, hint, children }: EntranceProps) {
  useEffect(() => {
    document.title = `${title} · ${product}`;
  }, [title]);
  return (
    <div className={classes.page}>
      <main className={classes.side}>
        <div className={classes.brand}>
          <Mark size={34} />
          {product}
        </div>
        <div className={classes.form}>
          <Title order={1}>{title}</Title>
          <div className={classes.hint}>{hint}</div>
          {children}
        </div>
      </main>
      <div className={classes.mosaic} aria-hidden>
        {Array.from({ length: 26 }, (_, tile) => (
          <span key={tile} />
        ))}
      </div>
    </div>
  );
}

/** The other ways, below the form. */
export function Others({ children }: { readonly children: ReactNode }) {
  return (
    <Group gap="lg" className={classes.other}>
      {children}
    </Group>
  );
}

/** Asks for the mail of a link again. */
export function NewLink({ to }: { readonly to: '/account' | '/forgot-password' }) {
  return (
    <Others>
      <StrongLink to={to}>{words.newLink}</StrongLink>
    </Others>
  );
}

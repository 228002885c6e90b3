import type { ReactNode } from 'react';
import classes from './Facts.module.css';

export interface FactItem {
  readonly term: string;
  readonly value: ReactNode;
  /** True if the value may be long, such as an e-mail, and is cut if it does not fit. */
  readonly isLong?: boolean;
}

/** A few figures side by side; two in a row on a phone. */
export function Facts({ items }: { readonly items: readonly FactItem[] }) {
  return (
    <dl className={classes.facts}>
      {items.map(({ term, value, isLong }) => (
        <div key={term} className={classes.fact} data-long={isLong || undefined}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

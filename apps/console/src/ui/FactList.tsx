import type { ReactNode } from 'react';
import classes from './FactList.module.css';

/** Facts below each other: a term and its value. Facts without a value are left out. */
export function FactList({ facts }: { readonly facts: readonly (readonly [term: string, value: ReactNode])[] }) {
  return (
    <dl style={{ margin: 0 }}>
      {facts
        .filter(([, value]) => value !== null && value !== '')
        .map(([term, value]) => (
          <div key={term} className={classes.fact}>
            <dt>{term}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

import { Code } from '@mantine/core';
import classes from '../Operator.module.css';
import { Hint } from '../../../ui/index.ts';
import { Fold } from './Fold.tsx';
import type { Proposal } from './proposal.ts';
import { words } from './words.ts';

/** The vendor's fields that callers are not offered, with the reasons. */
export function LeftOut({ fields }: { readonly fields: Proposal['left_out'] }) {
  if (fields.length === 0) return null;
  const reasons: Readonly<Record<string, string>> = words.reasons;
  return (
    <Fold label={words.model.leftOut(fields.length)}>
      <ul className={classes.examples}>
        {fields.map(({ field, reason }) => (
          <li key={field}>
            <Code>{field}</Code> <Hint span>{reasons[reason] ?? reason}</Hint>
          </li>
        ))}
      </ul>
    </Fold>
  );
}

import type { ReactNode } from 'react';
import { Hint, Section } from '../../ui/index.ts';
import classes from './Setting.module.css';

interface SettingProps {
  readonly title: string;
  readonly hint: string;
  readonly children: ReactNode;
}

/** A part of the account: what it is for at one side, and its forms at the other; on a phone one below the other. */
export function Setting({ title, hint, children }: SettingProps) {
  return (
    <Section title={title}>
      <div className={classes.setting}>
        <Hint>{hint}</Hint>
        <div className={classes.forms}>{children}</div>
      </div>
    </Section>
  );
}

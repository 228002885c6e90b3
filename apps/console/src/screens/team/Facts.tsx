import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TeamInfoResponse } from '../../api/index.ts';
import { number } from '../../ui/index.ts';
import { words } from '../../words.ts';
import classes from './Facts.module.css';

/** A team in four figures. */
export function Facts({ info }: { readonly info: TeamInfoResponse }) {
  const { members_count, user_level, owner, credits } = info;
  return (
    <dl className={classes.facts}>
      <Fact term={words.team.size}>{number(members_count)}</Fact>
      <Fact term={words.team.yourRole}>{words.shell.roles[user_level]}</Fact>
      <Fact term={words.team.creditsLeft}>
        {number(credits.remaining)}{' '}
        <Text span c="dimmed" size="sm" fw={400}>
          {words.team.ofCredits(number(credits.monthly_allocation))}
        </Text>
      </Fact>
      <Fact term={words.team.owner}>
        <bdi className={classes.long} title={owner}>
          {owner}
        </bdi>
      </Fact>
    </dl>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

import type { TeamInfoResponse } from '../../api/index.ts';
import { shellWords } from '../../shell/index.ts';
import { Facts, Hint, number } from '../../ui/index.ts';
import { words } from './words.ts';

/** The team's size, the user's role, the credits left and the owner. */
export function TeamFacts({ info }: { readonly info: TeamInfoResponse }) {
  const { members_count, user_level, owner, credits } = info;
  const left = (
    <>
      {number(credits.remaining)}{' '}
      <Hint span fw={400}>
        {words.ofCredits(number(credits.monthly_allocation))}
      </Hint>
    </>
  );
  return (
    <Facts
      items={[
        { term: words.size, value: number(members_count) },
        { term: words.yourRole, value: shellWords.roles[user_level] },
        { term: words.creditsLeft, value: left, isLong: true },
        { term: words.owner, value: <bdi title={owner}>{owner}</bdi>, isLong: true },
      ]}
    />
  );
}

import { Badge, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { boardsMediaDecisionsListOptions, type MediaDto } from '../../../api/index.ts';
import { When } from '../../../ui/index.ts';
import classes from './Review.module.css';
import { words } from './words.ts';

interface LatestDecisionProps {
  readonly boardId: number;
  readonly media: Pick<MediaDto, 'id' | 'decision'>;
}

/** The decision that counts: its author, time and words. */
export function LatestDecision({ boardId, media: { id, decision } }: LatestDecisionProps) {
  const { data } = useQuery({
    ...boardsMediaDecisionsListOptions({ path: { board_id: boardId, id } }),
    enabled: decision !== 'none',
  });
  const latest = data?.decisions[0];
  // The list may be older than the board.
  if (latest === undefined || latest.decision !== decision || decision === 'none') return null;
  const { author, text, created_at: createdAt } = latest;
  return (
    <div>
      <Text size="sm" c="dimmed" className={classes.author}>
        <Text span inherit component="bdi" fw={600} c="var(--mantine-color-text)">
          {author.name ?? words.somebody}
        </Text>{' '}
        {author.user_id === null && <Badge color="yellow">{words.guest}</Badge>} <When at={createdAt} span size="sm" />
      </Text>
      {text !== null && (
        <Text size="sm" dir="auto" className={classes.text}>
          {text}
        </Text>
      )}
    </div>
  );
}

import { Button, Group, Kbd, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import { creditsGetOptions, X12Error } from '../../api/index.ts';
import { Credits, ErrorNotice, number } from '../../ui/index.ts';
import { words } from '../../words.ts';
import classes from './GenerateBar.module.css';

interface GenerateBarProps {
  /** Credits; undefined while the draft is incomplete. */
  readonly cost: number | undefined;
  readonly isChecking: boolean;
  /** Whether a start is in flight. */
  readonly isSending: boolean;
  /** An error that belongs to no field. */
  readonly problem: unknown;
  readonly isOffline: boolean;
  readonly onRetry: () => void;
}

const said = words.generate.bar;

/** The cost, the credits left, and the button. */
export function GenerateBar({ cost, isChecking, isSending, problem, isOffline, onRetry }: GenerateBarProps) {
  const { data } = useQuery(creditsGetOptions());
  const available = data?.credits.available;
  const isShort = cost !== undefined && available !== undefined && cost > available;
  const isTransient = problem instanceof X12Error && problem.isTransient;
  const unfinished = isChecking ? said.checking : said.incomplete;
  const unknown = isTransient ? said.unknown : unfinished;
  return (
    <div className={classes.bar}>
      {isTransient && <ErrorNotice error={problem} onRetry={onRetry} />}
      {problem !== null && !isTransient && <ErrorNotice error={problem} title={said.refused} />}
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <div aria-live="polite">
          <Text fw={600} lh={1.3}>
            {cost === undefined ? unknown : <Credits amount={cost} />}
          </Text>
          {available !== undefined && (
            <Text size="xs" c={isShort ? 'var(--mantine-color-error)' : 'dimmed'}>
              {isShort ? said.short(number(available)) : said.left(number(available))}
            </Text>
          )}
        </div>
        <Button
          type="submit"
          size="md"
          disabled={isOffline}
          leftSection={isSending ? <Loader size={17} color="white" aria-hidden /> : <Sparkles size={17} aria-hidden />}
          rightSection={
            <Kbd size="xs" className={classes.key} aria-hidden>
              {said.key}
            </Kbd>
          }
        >
          {said.generate}
        </Button>
      </Group>
    </div>
  );
}

import { Button, Group, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import { type BatchDryRunResponse, creditsGetOptions, X12Error } from '../api/index.ts';
import { Credits, ErrorNotice, number } from '../ui/index.ts';
import classes from './BatchPanel.module.css';
import { words } from './words.ts';

interface BatchBarProps {
  /** Undefined while the batch is incomplete. */
  readonly price: BatchDryRunResponse | undefined;
  readonly isChecking: boolean;
  readonly isRunning: boolean;
  /** What is wrong with the number of cells. */
  readonly countProblem: string | null;
  /** An error that belongs to no field. */
  readonly problem: unknown;
  readonly isOffline: boolean;
  readonly onRetry: () => void;
  readonly onRun: () => void;
}

/** The number of pictures, the price, the credits left, and the button. */
export function BatchBar(props: BatchBarProps) {
  const { price, isChecking, isRunning, countProblem, problem, isOffline, onRetry, onRun } = props;
  const { data } = useQuery(creditsGetOptions());
  const available = data?.credits.available;
  const isShort = price !== undefined && available !== undefined && price.cost > available;
  const isTransient = problem instanceof X12Error && problem.isTransient;
  return (
    <div className={classes.bar}>
      {problem !== null && problem !== undefined && (
        <ErrorNotice error={problem} {...(isTransient ? { onRetry } : { title: words.refused })} />
      )}
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <div aria-live="polite" className={classes.price}>
          {countProblem !== null ? (
            <Text size="sm" fw={600} lh={1.3} c="var(--mantine-color-error)" role="alert">
              {countProblem}
            </Text>
          ) : (
            <Text fw={600} lh={1.3}>
              {price ? (
                <>
                  {words.cells(price.cells)} · <Credits amount={price.cost} />
                </>
              ) : isChecking ? (
                words.checking
              ) : (
                words.incomplete
              )}
            </Text>
          )}
          {available !== undefined && (
            <Text size="xs" c={isShort ? 'var(--mantine-color-error)' : 'dimmed'}>
              {isShort ? words.short(number(available)) : words.left(number(available))}
            </Text>
          )}
        </div>
        <Button
          size="md"
          flex="none"
          disabled={isOffline}
          onClick={onRun}
          leftSection={isRunning ? <Loader size={17} color="white" aria-hidden /> : <Sparkles size={17} aria-hidden />}
        >
          {words.run}
        </Button>
      </Group>
    </div>
  );
}

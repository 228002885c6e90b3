import { Button, Group, Loader, Text } from '@mantine/core';
import { Sparkles } from 'lucide-react';
import { X12Error } from '../api/index.ts';
import { Credits, ErrorNotice, useCreditsLeft } from '../ui/index.ts';
import classes from './BatchPanel.module.css';
import type { CheckedBatch } from './use-checked-batch.ts';
import { words } from './words.ts';

/** The number of pictures, the price, the credits left, and the button. */
export function BatchBar({ batch }: { readonly batch: CheckedBatch }) {
  const { price, isChecking, isRunning, countProblem, problem, isOffline, checkAgain, start } = batch;
  const { left, isShort } = useCreditsLeft(price?.cost);
  const isTransient = problem instanceof X12Error && problem.isTransient;
  return (
    <div className={classes.bar}>
      {problem !== null && problem !== undefined && (
        <ErrorNotice error={problem} {...(isTransient ? { onRetry: checkAgain } : { title: words.refused })} />
      )}
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <div aria-live="polite" style={{ fontVariantNumeric: 'tabular-nums' }}>
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
          {left && (
            <Text size="xs" c={isShort ? 'var(--mantine-color-error)' : 'dimmed'}>
              {left}
            </Text>
          )}
        </div>
        <Button
          size="md"
          flex="none"
          disabled={isOffline}
          onClick={start}
          leftSection={isRunning ? <Loader size={17} color="white" aria-hidden /> : <Sparkles size={17} aria-hidden />}
        >
          {words.run}
        </Button>
      </Group>
    </div>
  );
}

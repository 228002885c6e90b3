import { Button, Loader, Text } from '@mantine/core';
import { Sparkles } from 'lucide-react';
import { Credits, useCreditsLeft } from '../../ui/index.ts';
import classes from './GenerateButton.module.css';
import type { useDryRun } from './use-dry-run.ts';
import { words } from './words.ts';

interface GenerateButtonProps {
  /** Its cost is undefined while the draft is incomplete. */
  readonly check: ReturnType<typeof useDryRun>;
  /** True if a start is in flight. */
  readonly isSending: boolean;
  /** True if the cost can't be asked for at the moment. */
  readonly isUnknown: boolean;
}

const text = words.bar;

/** The button with the cost, and beside it the credits left. */
export function GenerateButton({ check, isSending, isUnknown }: GenerateButtonProps) {
  const { cost } = check;
  const { left, isShort } = useCreditsLeft(cost);
  const unfinished = isUnknown ? text.unknown : check.isFetching ? text.checking : text.incomplete;
  return (
    <>
      <Text
        size="xs"
        className={classes.status}
        c={isShort ? 'var(--mantine-color-error)' : 'dimmed'}
        data-urgent={isShort || cost === undefined || undefined}
        aria-live="polite"
      >
        {cost === undefined ? unfinished : left}
      </Text>
      <Button
        type="submit"
        size="md"
        h={42}
        className={classes.button}
        disabled={check.fetchStatus === 'paused'}
        title={`${text.generate} (${text.key})`}
        leftSection={isSending ? <Loader size={17} color="white" aria-hidden /> : <Sparkles size={17} aria-hidden />}
      >
        <span className={classes.label}>{text.generate}</span>
        {cost !== undefined && <Credits amount={cost} className={classes.cost} />}
      </Button>
    </>
  );
}

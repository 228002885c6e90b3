import { Progress, type ProgressRootProps } from '@mantine/core';

interface CreditsBarProps extends ProgressRootProps {
  readonly purchased: number;
  readonly available: number;
  readonly reserved?: number;
  /** True if it shows the share that is used. */
  readonly isOfUsed?: boolean;
}

/** The share of credits left, and striped the share of reserved credits. Hidden from screen readers: texts say the same. */
export function CreditsBar({ purchased, available, reserved = 0, isOfUsed, ...progress }: CreditsBarProps) {
  const left = shareOf(available, purchased);
  return (
    <Progress.Root radius="xl" aria-hidden {...progress}>
      <Progress.Section
        value={(isOfUsed ? 1 - left : left) * 100}
        color={left < 0.1 ? 'red' : left < 0.25 ? 'yellow' : undefined}
      />
      <Progress.Section value={shareOf(reserved, purchased) * 100} color="sea.4" striped />
    </Progress.Root>
  );
}

function shareOf(part: number, purchased: number): number {
  return purchased > 0 ? Math.min(1, Math.max(0, part / purchased)) : 0;
}

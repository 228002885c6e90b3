import type { DeliveryDto } from '../../api/index.ts';
import { words } from './words.ts';

type Attempt = DeliveryDto['attempts'][number];

const SOON_MS = 60_000;

/** Milliseconds until the list is read again: 3 s if a call is due soon, 30 s if a call waits. */
export function pauseBeforeReading(deliveries: readonly DeliveryDto[], now: Date): number | false {
  const due = deliveries.flatMap(({ next_attempt_at: at }) => (at === null ? [] : Date.parse(at)));
  if (due.length === 0) return false;
  return Math.min(...due) - now.getTime() < SOON_MS ? 3000 : 30_000;
}

/** The outcome of an attempt, in words. */
export function outcomeOf({ status, error }: Attempt): string {
  if (error === null) return words.success(status!);
  return words.errors[error]?.(status) ?? error;
}

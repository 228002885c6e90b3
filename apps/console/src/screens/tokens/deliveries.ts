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
  return error === null ? words.success(status!) : errorText({ status, error });
}

/** The error code of an attempt, in words. */
export function errorText({ status, error }: { readonly status: number | null; readonly error: string }): string {
  return words.errors[error]?.(status) ?? error;
}

/** The generation or the batch that has ended, or the event that an endpoint gets. */
export function causeOf(
  delivery: Pick<DeliveryDto, 'generation_id' | 'batch_id' | 'endpoint_id' | 'message_id'>,
): string {
  const { generation_id: generation, batch_id: batch, endpoint_id: endpoint, message_id: message } = delivery;
  if (endpoint !== null) return words.ofEvent(message.slice(0, 8));
  return batch === null ? words.ofGeneration(generation!) : words.ofBatch(batch);
}

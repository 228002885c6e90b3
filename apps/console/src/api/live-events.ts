import { useEffect, useEffectEvent } from 'react';
import type { EventDto, EventsToFollow } from '#client';
import { isRefusal } from '../refusal.ts';
import { x12 } from './client.ts';
import { RETRY_MS, useIsVisible, wait } from './live-board.ts';

interface FollowedEvents {
  /** Event types, separated by commas; empty for all. */
  readonly types: string;
  /** Such as `generation:12`; empty for all. */
  readonly subject: string;
  /** False while they are not followed. */
  readonly isOn: boolean;
  /** The number of the last known event, read when the stream is opened. Default: it begins with the next event. */
  readonly last?: () => number;
}

/** Follows events of the workspace while the page is visible. */
export function useLiveEvents(followed: FollowedEvents, onEvent: (event: EventDto) => void): void {
  const { types, subject, isOn } = followed;
  const isVisible = useIsVisible();
  const lastNumber = useEffectEvent(() => followed.last?.());
  const notify = useEffectEvent(onEvent);
  useEffect(() => {
    if (!isVisible || !isOn) return;
    const stop = new AbortController();
    const which = {
      types: types ? (types.split(',') as EventDto['type'][]) : undefined,
      subject: subject || undefined,
    };
    follow({ ...which, after: lastNumber() }, (event) => notify(event), stop.signal).catch(() => {});
    return () => stop.abort();
  }, [isVisible, isOn, types, subject]);
}

async function follow(
  { after, ...which }: EventsToFollow,
  onEvent: (event: EventDto) => void,
  signal: AbortSignal,
): Promise<void> {
  let last = after;
  while (!signal.aborted) {
    try {
      for await (const event of x12.followEvents({ ...which, after: last }, { signal })) {
        last = event.number;
        onEvent(event);
      }
    } catch (error) {
      if (signal.aborted || isRefusal(error)) return;
      await wait(RETRY_MS);
    }
  }
}

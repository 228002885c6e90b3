import type { QueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { refresh, type Subject } from '../api/index.ts';
import { createStore, useStore } from './store.ts';

/** What data will be once the service has made a change. Gives the same when it has. */
export type Show<Data> = (before: Data) => Data;

interface Pending<Data> {
  readonly show: Show<Data>;
}

/** Changes of one kind of data that are shown already, although the service does not say so yet: oldest first. */
export class Changes<Data> {
  /** For `useShown`. */
  readonly pending = createStore<readonly Pending<Data>[]>([]);
  private readonly stale: readonly Subject[];

  /** @param stale what is read again after each change */
  constructor(...stale: readonly [Subject, ...Subject[]]) {
    this.stale = stale;
  }

  /** Shows a change from now on. @returns ends that */
  show(show: Show<Data>): () => void {
    const change = { show };
    this.pending.set([...this.pending.get(), change]);
    return () => this.pending.set(this.pending.get().filter((each) => each !== change));
  }

  /**
   * Shows a change at once and makes it; no longer shows it when it fails, or is read again.
   *
   * @throws what `work` fails with
   */
  async make<Result>(queries: QueryClient, show: Show<Data>, work: () => Promise<Result>): Promise<Result> {
    const end = this.show(show);
    try {
      const result = await work();
      void this.refresh(queries).finally(end);
      return result;
    } catch (error) {
      end();
      void this.refresh(queries);
      throw error;
    }
  }

  refresh(queries: QueryClient): Promise<void> {
    return refresh(queries, ...this.stale);
  }

  /** @param read what the service said last */
  shown(read: Data): Data {
    return withAll(read, this.pending.get());
  }
}

/** What a query has read, with the changes that the service has not made yet. */
export function useShown<Data>(changes: Changes<Data>, read: Data | undefined): Data | undefined {
  const pending = useStore(changes.pending);
  return useMemo(() => (read === undefined ? undefined : withAll(read, pending)), [read, pending]);
}

function withAll<Data>(read: Data, pending: readonly Pending<Data>[]): Data {
  return pending.reduce((data, { show }) => show(data), read);
}

import type { QueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { refresh, type Subject } from '../api/index.ts';
import { createStore, useStore } from './store.ts';

/** Applies a change to data of the service. Idempotent: data that has the change is returned unchanged. */
export type Show<Data> = (before: Data) => Data;

interface Pending<Data> {
  readonly show: Show<Data>;
}

/** Optimistic changes of one kind of data, shown before the service confirms them. */
export class Changes<Data> {
  /** Oldest first. For `useShown`. */
  readonly pending = createStore<readonly Pending<Data>[]>([]);
  readonly #stale: readonly Subject[];

  /** @param stale the subjects that are read again after each change */
  constructor(...stale: readonly [Subject, ...Subject[]]) {
    this.#stale = stale;
  }

  /** Shows a change. @returns a function that stops showing it */
  show(show: Show<Data>): () => void {
    const change = { show };
    this.pending.set([...this.pending.get(), change]);
    return () => this.pending.set(this.pending.get().filter((each) => each !== change));
  }

  /**
   * Shows a change at once and makes it. Stops showing it when it fails, or when the data was read again.
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
    return refresh(queries, ...this.#stale);
  }

  /** @param read the data that was read last */
  shown(read: Data): Data {
    return withAll(read, this.pending.get());
  }
}

/** The data of a query, with its optimistic changes. */
export function useShown<Data>(changes: Changes<Data>, read: Data | undefined): Data | undefined {
  const pending = useStore(changes.pending);
  return useMemo(() => (read === undefined ? undefined : withAll(read, pending)), [read, pending]);
}

function withAll<Data>(read: Data, pending: readonly Pending<Data>[]): Data {
  return pending.reduce((data, { show }) => show(data), read);
}

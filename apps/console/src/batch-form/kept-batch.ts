import { createStore, type Memory, type Store } from '../state/index.ts';
import { unsigned } from '../file-url.ts';
import { type BatchDraft, EMPTY_BATCH } from './batch-draft.ts';

interface Kept {
  /** The form of a single generation that the batch began with, as text. */
  readonly source?: string;
  readonly batch?: BatchDraft;
}

/** The batch that a user was filling in, kept over a reload. */
export class KeptBatch {
  readonly #store: Store<Kept>;

  constructor(
    memory: Memory,
    readonly owner: string,
  ) {
    this.#store = createStore<Kept>({}, { memory, name: 'x12-batch', owner, part: writable });
  }

  /** The kept batch, if it began with the same form; without a form, whichever is kept. */
  of(source: string | null): BatchDraft | undefined {
    const { source: kept, batch } = this.#store.get();
    return batch && (source === null || source === kept) ? { ...EMPTY_BATCH, ...batch } : undefined;
  }

  keep(source: string | null, batch: BatchDraft): void {
    this.#store.set({ source: source ?? this.#store.get().source, batch });
  }

  drop(): void {
    this.#store.set({});
  }
}

/** Without signatures, and addresses that may contain one: scripts can read the session storage. */
function writable({ source, batch }: Kept): Kept {
  const kept = <T>(value: T) => (typeof value === 'string' ? (unsigned(value) as T) : value);
  const isPublic = (value: unknown) => !(typeof value === 'string' && /^https?:\/\/.*(\?|@)/.test(value));
  if (!batch) return {};
  const parameters = Object.entries(batch.parameters)
    .map(([name, values]) => [name, values.map(kept)] as const)
    .filter(([, values]) => values.every(isPublic));
  return {
    source,
    batch: { ...batch, styles: batch.styles.map(kept).filter(isPublic), parameters: Object.fromEntries(parameters) },
  };
}

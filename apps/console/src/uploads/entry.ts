import { type UploadedFile, X12Error } from '../api/index.ts';

/**
 * `using`: the file is stored and its purpose is carried out, such as filling a slot. `lost`: a reload of the page
 * interrupted the upload, and the file has to be chosen again.
 */
export type UploadStatus = 'waiting' | 'sending' | 'paused' | 'using' | 'done' | 'failed' | 'lost';

/** An upload, as pages show it. */
export interface UploadEntry extends UploadTarget {
  readonly id: number;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly status: UploadStatus;
  /** Bytes. */
  readonly sent: number;
  /** The reason of a failure. */
  readonly error: unknown;
  /** The stored file, once there is one. */
  readonly saved: UploadedFile | null;
}

export interface UploadTarget {
  /** Default: the caller's first persona. */
  readonly personaId?: number;
  /** True if the file is deleted after some hours. */
  readonly temporary?: boolean;
  /** Shown with the file: `Slot 1 of Ada`. */
  readonly purpose?: string;
  /** A key by which a screen finds the uploads for a place of its own: `persona 12, slot 1`. */
  readonly place?: string;
}

export interface UploadTotals {
  readonly count: number;
  readonly done: number;
  readonly failed: number;
  /** The number of uploads that need nobody. */
  readonly active: number;
  /** 0 to 1, by bytes. */
  readonly progress: number;
}

const ACTIVE: readonly UploadStatus[] = ['waiting', 'sending', 'using'];
const NEEDS_PEOPLE: readonly UploadStatus[] = ['failed', 'lost'];

export function isActive({ status }: Pick<UploadEntry, 'status'>): boolean {
  return ACTIVE.includes(status);
}

/** Reports whether the upload needs a decision of the user. */
export function isStuck({ status }: Pick<UploadEntry, 'status'>): boolean {
  return NEEDS_PEOPLE.includes(status);
}

/** Reports whether the service has refused the file for good. */
export function isRefused({ status, error }: Pick<UploadEntry, 'status' | 'error'>): boolean {
  return status === 'failed' && error instanceof X12Error && !error.isTransient;
}

/**
 * Reports whether an upload is shown although the tray was closed: it was added, or failed, since then.
 *
 * @param closed by id, whether an upload needed a decision when the tray was closed
 */
export function isNews(entry: UploadEntry, closed: ReadonlyMap<number, boolean>): boolean {
  return !closed.has(entry.id) || (isStuck(entry) && !closed.get(entry.id));
}

export function totalsOf(entries: readonly UploadEntry[]): UploadTotals {
  // Empty files count too.
  const weightOf = ({ size }: UploadEntry) => size + 1;
  const total = entries.reduce((sum, entry) => sum + weightOf(entry), 0);
  const sent = entries.reduce((sum, entry) => sum + (entry.status === 'done' ? weightOf(entry) : entry.sent), 0);
  return {
    count: entries.length,
    done: entries.filter(({ status }) => status === 'done').length,
    failed: entries.filter(isStuck).length,
    active: entries.filter(isActive).length,
    progress: total === 0 ? 0 : sent / total,
  };
}

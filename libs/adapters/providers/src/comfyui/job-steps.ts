import type { VendorSocket } from '#adapters/outgoing-http';
import { asObject, parsedJson } from '../remote/json.ts';

interface Watched {
  readonly socket: Promise<VendorSocket | null>;
  /** 0..1; `null` before the first step. */
  progress: number | null;
  timer: NodeJS.Timeout;
}

/** How long a job is watched after the last question about it: another worker may check it meanwhile. */
const WATCH_MS = 60_000;
const MAX_WATCHED = 50;

/**
 * The steps of running jobs. ComfyUI sends them to one WebSocket, that of the client id which came with the job; a newer
 * WebSocket of the same client id takes over. So any worker can watch a job that it checks, and nothing depends on it:
 * without steps the progress is unknown.
 */
export class JobSteps {
  readonly #jobs = new Map<string, Watched>();

  constructor(private readonly open: (clientId: string) => Promise<VendorSocket>) {}

  /** The progress of a running job; `null` while it is unknown. The job is watched from the first call on. */
  progressOf(id: string): number | null {
    const watched = this.#jobs.get(id) ?? this.#watch(id);
    watched?.timer.refresh();
    return watched?.progress ?? null;
  }

  end(id: string): void {
    const watched = this.#jobs.get(id);
    if (!watched) return;
    this.#jobs.delete(id);
    clearTimeout(watched.timer);
    void watched.socket.then((socket) => socket?.close());
  }

  #watch(id: string): Watched | null {
    if (this.#jobs.size >= MAX_WATCHED) return null;
    const socket = this.open(id).catch(() => null);
    const watched: Watched = { socket, progress: null, timer: setTimeout(() => this.end(id), WATCH_MS).unref() };
    this.#jobs.set(id, watched);
    void socket.then((opened) => {
      opened?.onMessage((data) => (watched.progress = stepOf(data, id) ?? watched.progress));
    });
    return watched;
  }
}

/** The share of the steps that are done, in a message `progress` of the job; `null` for other messages. */
export function stepOf(data: unknown, id: string): number | null {
  if (typeof data !== 'string') return null;
  const message = asObject(parsedJson(data));
  const { prompt_id: job, value, max } = asObject(message['data']);
  if (message['type'] !== 'progress' || job !== id) return null;
  const isShare = typeof value === 'number' && typeof max === 'number' && value >= 0 && max > 0;
  return isShare ? Math.min(1, value / max) : null;
}

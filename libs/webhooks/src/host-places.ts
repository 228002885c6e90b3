import type { Clock } from '#kernel';
import { afterCall, allowanceOf, standingOf, waitSeconds, type CallRecord, type Standing } from './domain/standing.ts';

/** A call that is under way. */
export interface HostPlace {
  readonly patienceSeconds: number;
  /** To be called once. @param isAnswered whether the host responded; `null` when the call says nothing about that */
  leave(isAnswered: boolean | null): void;
}

interface Underway {
  readonly host: string;
  readonly workspaceId: number;
  readonly kind: Standing['kind'];
}

/** The records that are kept; beyond that the oldest are forgotten, and their hosts are new again. */
const KEPT_RECORDS = 10_000;

/**
 * The places of one worker for calls of webhooks, and how the hosts have behaved. In memory: it limits the places of
 * this process, and a process that starts has learned within one call of each host.
 */
export class HostPlaces {
  readonly #hosts = new Map<string, CallRecord>();
  readonly #workspaces = new Map<number, CallRecord>();
  readonly #waiting = new Map<number, number>();
  readonly #underway = new Set<Underway>();

  constructor(
    private readonly places: number,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** @returns a place for a call of this workspace; or after how many seconds to ask again */
  enter(url: string, workspaceId: number): HostPlace | number {
    const host = URL.canParse(url) ? new URL(url).host : '';
    const standing = standingOf(this.#hosts.get(host), this.#workspaces.get(workspaceId), this.clock.now());
    const { ofHost, ofKind, ofWorkspace, patienceSeconds } = allowanceOf(standing, this.places);
    const ofThisKind = [...this.#underway].filter(({ kind }) => kind === standing.kind);
    const isFree =
      ofThisKind.length < ofKind &&
      ofThisKind.filter((call) => call.workspaceId === workspaceId).length < ofWorkspace &&
      [...this.#underway].filter((call) => call.host === host).length < ofHost;
    if (!isFree) return this.#wait(workspaceId);
    const call: Underway = { host, workspaceId, kind: standing.kind };
    this.#underway.add(call);
    return {
      patienceSeconds,
      leave: (isAnswered) => {
        this.#underway.delete(call);
        this.#waiting.delete(workspaceId);
        if (isAnswered === null) return;
        record(this.#hosts, host, isAnswered, this.clock.now());
        record(this.#workspaces, workspaceId, isAnswered, this.clock.now());
      },
    };
  }

  #wait(workspaceId: number): number {
    const waiting = this.#waiting.get(workspaceId) ?? 0;
    this.#waiting.set(workspaceId, waiting + 1);
    return waitSeconds(waiting);
  }
}

function record<Key>(records: Map<Key, CallRecord>, key: Key, isAnswered: boolean, at: Date): void {
  const after = afterCall(records.get(key), isAnswered, at);
  records.delete(key);
  records.set(key, after);
  if (records.size > KEPT_RECORDS) records.delete(records.keys().next().value!);
}

import { finished } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from '#kernel';
import type { Settings } from '#config';
import { settings } from '#wiring';

/** A stream ends with its generation, so the next one can soon open. */
const RETRY_SECONDS = 10;

/** Limits the event streams that a user has open at this process. */
@Injectable()
export class StreamLimit {
  readonly #limit: number;
  readonly #open = new Map<number, number>();

  constructor(@Inject(settings) { http }: { readonly http: Pick<Settings['http'], 'streamsPerUser'> }) {
    this.#limit = http.streamsPerUser;
  }

  /**
   * Counts a stream until its response ends or its connection closes.
   *
   * @throws DomainError `rate_limited`, with `Retry-After` on the response
   */
  acquire(userId: number, response: Response): void {
    if (this.tryAcquire(userId, response)) return;
    response.setHeader('Retry-After', RETRY_SECONDS);
    throw new DomainError('rate_limited', `at most ${this.#limit} event streams may be open at a time: close one`);
  }

  /** As `acquire`. @returns false when the user has no stream left */
  tryAcquire(userId: number, response: Response): boolean {
    const open = this.#open.get(userId) ?? 0;
    if (this.#limit > 0 && open >= this.#limit) return false;
    this.#open.set(userId, open + 1);
    // Also called for a response that has already ended.
    finished(response, () => this.#release(userId));
    return true;
  }

  #release(userId: number): void {
    const open = this.#open.get(userId)! - 1;
    if (open > 0) this.#open.set(userId, open);
    else this.#open.delete(userId);
  }
}

import { finished } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from '#kernel';
import type { Settings } from '#config';
import { settings } from '#wiring';

/** A stream ends with its generation, so a place is soon free again. */
const RETRY_SECONDS = 10;

/** Limits the event streams that an account has open at this process. */
@Injectable()
export class StreamPlaces {
  private readonly limit: number;
  private readonly open = new Map<number, number>();

  constructor(@Inject(settings) { http }: { readonly http: Pick<Settings['http'], 'streamsPerUser'> }) {
    this.limit = http.streamsPerUser;
  }

  /**
   * Takes a place until the response ends or its connection closes.
   *
   * @throws DomainError `rate_limited`, with `Retry-After` on the response
   */
  take(userId: number, response: Response): void {
    const open = this.open.get(userId) ?? 0;
    if (this.limit > 0 && open >= this.limit) {
      response.setHeader('Retry-After', RETRY_SECONDS);
      throw new DomainError('rate_limited', `at most ${this.limit} event streams may be open at a time: close one`);
    }
    this.open.set(userId, open + 1);
    // This also holds for a response that has already ended.
    finished(response, () => this.giveBack(userId));
  }

  private giveBack(userId: number): void {
    const open = this.open.get(userId)! - 1;
    if (open > 0) this.open.set(userId, open);
    else this.open.delete(userId);
  }
}

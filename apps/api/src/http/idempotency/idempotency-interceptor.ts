import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { type Clock, DomainError, invalidField } from '#kernel';
import type { Settings } from '#config';
import {
  type IdempotencyKey,
  type KeptAnswer,
  PostgresIdempotencyKeys,
  PostgresUnitOfWork,
} from '#adapters/postgres';
import { clock, settings } from '#wiring';
import { respondsJson } from '../responds.ts';
import type { ApiRequest } from '../api-request.ts';
import { bearerToken } from '../bearer-token.ts';
import type { RequestInterceptor, Exchange, RouteMethod } from '../request-interceptor.ts';
import { errorBody } from '../error-body.ts';
import { STATUS_OF_CODE } from '../status-of-code.ts';
import { ResponseSeal } from './response-seal.ts';
import { isDecision } from './is-decision.ts';

export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

interface KeyedRequest {
  readonly key: IdempotencyKey;
  readonly seal: ResponseSeal;
  readonly hash: Buffer;
}

interface Outcome {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
  /** The refusal that `text` tells, when it was decided just now. */
  readonly refusal?: DomainError;
}

/**
 * A POST with an `Idempotency-Key` has its effect once, however often it is sent: the effect and the answer are one
 * transaction, so that a crash leaves both or neither.
 */
@Injectable()
export class IdempotencyInterceptor implements RequestInterceptor {
  readonly #reflector: Reflector;
  readonly #unitOfWork: PostgresUnitOfWork;
  readonly #keys: PostgresIdempotencyKeys;
  readonly #clock: Clock;
  readonly #ttlMs: number;

  constructor(
    @Inject(Reflector) reflector: Reflector,
    @Inject(PostgresUnitOfWork) unitOfWork: PostgresUnitOfWork,
    @Inject(PostgresIdempotencyKeys) keys: PostgresIdempotencyKeys,
    @Inject(clock) time: Clock,
    @Inject(settings) { http }: Settings,
  ) {
    this.#reflector = reflector;
    this.#unitOfWork = unitOfWork;
    this.#keys = keys;
    this.#clock = time;
    this.#ttlMs = http.idempotencyTtlSeconds * 1000;
  }

  concerns(method: RouteMethod): boolean {
    return respondsJson(this.#reflector, method);
  }

  async around({ request, response }: Exchange, next: () => Promise<unknown>): Promise<unknown> {
    const key = request.method === 'POST' ? request.get(IDEMPOTENCY_HEADER) : undefined;
    return key === undefined ? next() : this.#answer(key, request, response, next);
  }

  async #answer(
    key: string,
    request: ApiRequest,
    response: Response,
    next: () => Promise<unknown>,
  ): Promise<string> {
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw invalidField(IDEMPOTENCY_HEADER, 'must be 1 to 255 visible ASCII characters');
    }
    const keyed = await keyedRequest(key, request);
    const outcome = await this.#once(keyed, () => this.#decide(request, response, next));
    if (outcome.refusal) throw outcome.refusal;
    if (outcome.replayed) {
      response.setHeader('Idempotent-Replayed', 'true');
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      response.status(outcome.status);
    }
    return outcome.text;
  }

  /** Decides in one unit of work with keeping the answer, unless there is an answer already. */
  async #once(keyed: KeyedRequest, decide: () => Promise<Outcome>): Promise<Outcome> {
    try {
      return await this.#unitOfWork.run(async () => {
        const now = this.#clock.now();
        const keptSince = new Date(now.getTime() - this.#ttlMs);
        const kept = await this.#keys.take(keyed.key, keptSince);
        if (kept) return replay(kept, keyed);
        const outcome = await decide();
        const { status, text } = outcome;
        const answer = { requestHash: keyed.hash, status, answer: keyed.seal.seal(text) };
        if (await this.#keys.keep(keyed.key, answer, now, keptSince)) return outcome;
        throw new AnsweredMeanwhile();
      });
    } catch (error) {
      if (error instanceof AnsweredMeanwhile) return this.#once(keyed, decide);
      throw error;
    }
  }

  async #decide(request: ApiRequest, response: Response, next: () => Promise<unknown>): Promise<Outcome> {
    try {
      const text = await this.#unitOfWork.attempt(next as () => Promise<string>);
      return { status: response.statusCode, text, replayed: false };
    } catch (error) {
      if (!isDecision(error)) throw error;
      const text = JSON.stringify(errorBody(error, request.id));
      return { status: STATUS_OF_CODE[error.code], text, replayed: false, refusal: error };
    }
  }
}

/** The first request committed between our look for its answer and our hold on the key: what we did is undone. */
class AnsweredMeanwhile extends Error {}

/** @throws DomainError `idempotency_in_progress`, `idempotency_key_reused` */
function replay(kept: KeptAnswer | 'in_progress', { hash, seal }: KeyedRequest): Outcome {
  if (kept === 'in_progress') {
    throw new DomainError('idempotency_in_progress', 'the first request with this key is still running');
  }
  if (!kept.requestHash.equals(hash)) {
    throw new DomainError('idempotency_key_reused', 'this key was used for another request: use a new one');
  }
  return { status: kept.status, text: seal.open(kept.answer), replayed: true };
}

async function keyedRequest(key: string, request: ApiRequest): Promise<KeyedRequest> {
  const token = request.actor ? bearerToken(request) : null;
  const fields = Object.entries(request.fields ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const body = JSON.stringify(fields);
  const seal = token === null ? await ResponseSeal.ofBody(body, key) : ResponseSeal.ofToken(token, key);
  return {
    key: {
      caller: request.actor ? `user:${request.actor.userId}` : 'anonymous',
      hash: createHash('sha256').update(key).digest(),
    },
    seal,
    hash: seal.hashOf(`${request.method} ${request.originalUrl}\n${body}`),
  };
}

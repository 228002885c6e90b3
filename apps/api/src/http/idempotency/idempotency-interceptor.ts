import { createHash } from 'node:crypto';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  Post as NestPost,
  UseInterceptors,
} from '@nestjs/common';
import type { Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { type Clock, DomainError, type ErrorCode, invalidField, type UnitOfWork } from '#kernel';
import type { Settings } from '#config';
import type { Actor } from '#identity';
import {
  type IdempotencyKey,
  type KeptResponse,
  PostgresIdempotencyKeys,
  PostgresUnitOfWork,
} from '#adapters/postgres';
import { clock, settings, unitOfWork } from '#wiring';
import { errorBody, statusOf } from '../errors.ts';
import { requestFields } from '../parameters.ts';
import { type ApiRequest, clientAddress, type FieldValues } from '../request.ts';
import { jsonResponseOf, keptByOf } from '../responds.ts';
import { ResponseSeal } from './response-seal.ts';

export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

type KeptBy = NonNullable<ReturnType<typeof keptByOf>>;

interface KeyedRequest {
  readonly key: IdempotencyKey;
  readonly seal: ResponseSeal;
  readonly hash: Buffer;
}

interface Outcome {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
  /** The error that `text` reports, if this request decided it. */
  readonly refusal?: DomainError;
}

/**
 * A POST with an `Idempotency-Key` has its effect once, however often it is sent: the effect and the stored response are
 * one transaction, so that a crash leaves both or neither.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  readonly #ttlMs: number;

  constructor(
    @Inject(PostgresUnitOfWork) private readonly transactions: PostgresUnitOfWork,
    @Inject(unitOfWork) private readonly checked: UnitOfWork,
    @Inject(PostgresIdempotencyKeys) private readonly keys: PostgresIdempotencyKeys,
    @Inject(clock) private readonly clock: Clock,
    @Inject(settings) { http }: Settings,
  ) {
    this.#ttlMs = http.idempotencyTtlSeconds * 1000;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const key = context.switchToHttp().getRequest<ApiRequest>().get(IDEMPOTENCY_HEADER);
    if (key === undefined) return next.handle();
    // The metadata is read only with a key, as it is slow to read.
    const keptBy = keptByOf(jsonResponseOf(context.getHandler()));
    return keptBy === null ? next.handle() : from(this.#respond(key, keptBy, context, next));
  }

  async #respond(key: string, keptBy: KeptBy, context: ExecutionContext, next: CallHandler): Promise<string> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<ApiRequest>(), http.getResponse<Response>()];
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw invalidField(IDEMPOTENCY_HEADER, 'must be 1 to 255 visible ASCII characters');
    }
    const keyed = await keyedRequest(key, keptBy, request, await requestFields(context));
    const outcome = await this.#once(keyed, request.id, async () => {
      const result: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
      const status = response.statusCode;
      return { status, text: request.endpoint!.toJson!(result, status), replayed: false };
    });
    if (outcome.refusal) throw outcome.refusal;
    if (outcome.replayed) {
      response.setHeader('Idempotent-Replayed', 'true');
      response.status(outcome.status);
    }
    return outcome.text;
  }

  /**
   * Runs the request and stores its response in one transaction, unless a response is already stored. The key is locked
   * when the request begins its first unit of work: no connection is used while it computes before.
   */
  async #once(keyed: KeyedRequest, requestId: string, decide: () => Promise<Outcome>): Promise<Outcome> {
    const now = this.clock.now();
    const keptSince = new Date(now.getTime() - this.#ttlMs);
    const requireNew = async (): Promise<void> => {
      const kept = await this.keys.take(keyed.key, keptSince);
      if (kept) throw new Known(kept);
    };
    const keep = async ({ status, text }: Outcome): Promise<void> => {
      const response = { requestHash: keyed.hash, status, sealed: keyed.seal.seal(text) };
      if (!(await this.keys.keep(keyed.key, response, now, keptSince))) throw new DecidedMeanwhile();
    };
    try {
      await requireNew();
      return await this.transactions.late(requireNew, decide, keep);
    } catch (error) {
      if (error instanceof DecidedMeanwhile) return this.#once(keyed, requestId, decide);
      // The unit of work checks the caller's rights at this moment, as it does before an effect.
      if (error instanceof Known) return this.checked.run(() => Promise.resolve(replay(error.kept, keyed)));
      if (!isDecision(error)) throw error;
      const text = JSON.stringify(errorBody(error, requestId));
      const refused = { status: statusOf(error.code), text, replayed: false, refusal: error };
      return this.#once(keyed, requestId, () => Promise.resolve(refused));
    }
  }
}

/** A POST that has its effect once for each `Idempotency-Key`, if its response is stored. */
export function Post(path?: string): MethodDecorator {
  return applyDecorators(NestPost(path), UseInterceptors(IdempotencyInterceptor));
}

/** The key has a stored response, or another request has locked it. */
class Known extends Error {
  constructor(readonly kept: KeptResponse | 'in_progress') {
    super('the key is known');
  }
}

/** Another request with the key committed after our look-up and before our lock on the key: ours is rolled back. */
class DecidedMeanwhile extends Error {}

/** @throws DomainError `idempotency_in_progress`, `idempotency_key_reused` */
function replay(kept: KeptResponse | 'in_progress', { hash, seal }: KeyedRequest): Outcome {
  if (kept === 'in_progress') {
    throw new DomainError('idempotency_in_progress', 'the first request with this key is still running');
  }
  if (!hash.equals(kept.requestHash)) {
    throw new DomainError('idempotency_key_reused', 'this key was used for another request: use a new one');
  }
  return { status: kept.status, text: seal.open(kept.sealed), replayed: true };
}

async function keyedRequest(
  key: string,
  keptBy: KeptBy,
  request: ApiRequest,
  values: FieldValues,
): Promise<KeyedRequest> {
  const token = request.token ?? null;
  const fields = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  const body = JSON.stringify(fields);
  const caller = request.actor ? callerOf(request.actor, keptBy) : operatorOf(request);
  const seal = token === null ? await ResponseSeal.ofBody(body, key) : new ResponseSeal(token, key);
  return {
    key: caller
      ? { caller, hash: createHash('sha256').update(key).digest() }
      : // Callers without a token are distinguished by their address and body.
        { caller: 'anonymous', hash: seal.hashOf(clientAddress(request.ip)) },
    seal,
    hash: seal.hashOf(`${request.method} ${request.originalUrl}\n${body}`),
  };
}

/** Owner of the key: a response in one workspace must not be repeated to the same user in another. */
function callerOf({ userId, workspaceId }: Actor, keptBy: KeptBy): string {
  return keptBy === 'user' ? `user:${userId}` : `user:${userId} workspace:${workspaceId}`;
}

/** Owner of the key of an operator; `null` for others. */
function operatorOf({ operator, token }: ApiRequest): string | null {
  if (operator === undefined || token === undefined) return null;
  if (operator === null) return 'operator';
  return 'userId' in operator ? `user:${operator.userId} operator` : `machine:${operator.machineToken.id}`;
}

/** Errors that decide nothing: the same request may be sent again as if for the first time. */
const UNDECIDED: readonly ErrorCode[] = [
  'validation_failed',
  'unauthenticated',
  'second_factor_required',
  'too_large',
  'unsupported_media_type',
  'rate_limited',
  'idempotency_in_progress',
];

/** Reports whether the error is the decision of a use case, which the same request receives again. */
function isDecision(error: unknown): error is DomainError {
  return error instanceof DomainError && statusOf(error.code) < 500 && !UNDECIDED.includes(error.code);
}

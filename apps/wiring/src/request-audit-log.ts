import type { AuditEntries, AuditLog, AuditOrigin, NewAuditEntry } from '#audit-log';
import type { Clock } from '#kernel';
import { runningRequest } from './checked-unit-of-work.ts';

/** Adds to entries who acts and where the request came from, so that use cases need not know. */
export class RequestAuditLog implements AuditLog {
  readonly #entries: Pick<AuditEntries, 'add'>;
  readonly #clock: Clock;

  constructor(entries: Pick<AuditEntries, 'add'>, time: Clock) {
    this.#entries = entries;
    this.#clock = time;
  }

  record(entry: NewAuditEntry): Promise<void> {
    const { action, target, details, userId, at, origin = this.origin() } = entry;
    const request = runningRequest.getStore();
    const caller = request?.caller?.actor;
    const isOperator = request?.isCommandLine ?? false;
    const actingUser = isOperator ? null : (caller?.userId ?? userId ?? null);
    return this.#entries.add({
      at: at ?? this.#clock.now(),
      actor: isOperator ? 'operator' : actingUser === null ? 'system' : 'user',
      userId: actingUser,
      via: isOperator ? 'cli' : caller ? { tokenId: caller.tokenId } : null,
      action,
      target,
      details,
      workspace: entry.workspaceId ?? caller?.workspaceId ?? { ofUser: entry.workspaceOf ?? actingUser ?? target },
      ...origin,
    });
  }

  origin(): AuditOrigin {
    const request = runningRequest.getStore();
    return { address: request?.ip ?? null, requestId: request?.id ?? null };
  }
}

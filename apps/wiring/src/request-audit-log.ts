import type { AuditEntries, AuditLog, AuditOrigin, NewAuditEntry } from '#audit-log';
import type { Clock } from '#kernel';
import { runningRequest } from './checked-unit-of-work.ts';

/** Adds to entries who acts and where the request came from, so that use cases need not know. */
export class RequestAuditLog implements AuditLog {
  readonly #clock: Clock;

  constructor(
    private readonly entries: Pick<AuditEntries, 'add'>,
    time: Clock,
  ) {
    this.#clock = time;
  }

  record(entry: NewAuditEntry): Promise<void> {
    const { action, target, details, userId, at, origin = this.origin() } = entry;
    const request = runningRequest.getStore();
    const operator = request?.operator;
    const machine = operator && 'machineToken' in operator ? operator.machineToken : null;
    const caller = request?.caller?.actor ?? (operator && 'userId' in operator ? operator : null);
    const isCommandLine = request?.isCommandLine ?? false;
    const isOperator = isCommandLine || operator === null || machine !== null;
    const actingUser = isOperator ? null : (caller?.userId ?? userId ?? null);
    return this.entries.add({
      at: at ?? this.#clock.now(),
      actor: isOperator ? 'operator' : actingUser === null ? 'system' : 'user',
      userId: actingUser,
      via: isCommandLine ? 'cli' : isOperator ? 'token' : caller ? { tokenId: caller.tokenId } : null,
      viaName: machine?.name ?? null,
      action,
      target,
      details,
      workspace:
        entry.workspaceId === undefined
          ? (request?.caller?.actor.workspaceId ?? { ofUser: entry.workspaceOf ?? actingUser ?? target })
          : entry.workspaceId,
      ...origin,
    });
  }

  origin(): AuditOrigin {
    const request = runningRequest.getStore();
    return { address: request?.ip ?? null, requestId: request?.id ?? null };
  }
}

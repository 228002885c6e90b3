import type { AuditLog, AuditOrigin, NewAuditEntry } from '../index.ts';

/** Keeps the recorded entries, in order. */
export class RecordedAuditLog implements AuditLog {
  readonly entries: NewAuditEntry[] = [];

  async record(entry: NewAuditEntry): Promise<void> {
    this.entries.push(entry);
  }

  origin(): AuditOrigin {
    return { address: null, requestId: null };
  }
}

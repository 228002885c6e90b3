import { p } from '@mikro-orm/postgresql';
import { AUDIT_ACTORS, AUDIT_VIAS, type AuditAction, type AuditDetails, type AuditTargetType } from '#audit-log';
import { id, ref, table, time } from './columns.ts';

export const AuditLogRow = table('AuditLogRow', 'audit_log', {
  id: id(),
  /** Null for what concerns the whole service. */
  workspaceId: ref().nullable(),
  at: time(),
  actor: p.enum(AUDIT_ACTORS),
  /** Null for operators and the service itself. */
  userId: ref().nullable(),
  via: p.enum(AUDIT_VIAS).nullable(),
  action: p.text().$type<AuditAction>(),
  targetType: p.text().$type<AuditTargetType>(),
  targetId: ref(),
  /** Null for targets without a name, and for persons, whose e-mail is read from their account. */
  targetName: p.text().nullable(),
  details: p.json().$type<AuditDetails[AuditAction]>(),
  address: p.text().nullable(),
  requestId: p.text().nullable(),
  /** Name of the machine token; null for others. */
  viaName: p.text().nullable(),
});

import { p } from '@mikro-orm/postgresql';
import type { InboxKind, MailTime } from '#inbox';
import { id, ref, table, time } from './columns.ts';

/** Events in the inboxes of people. */
export const InboxEntryRow = table('InboxEntryRow', 'inbox_entries', {
  id: id(),
  workspaceId: ref(),
  userId: ref(),
  eventSeq: ref(),
  kind: p.text().$type<InboxKind>(),
  /** The comment or decision that the event is about: the entry ends with it. */
  commentId: ref().nullable(),
  decisionId: ref().nullable(),
  /** The series of mails that is to have the entry; null once a mail has it, and if none is to. */
  mailSeries: p.text().nullable(),
  readAt: time().nullable(),
});

/** Series of mails to people: about one subject (`board:12`), or once a day about all (`day`). */
export const InboxMailRow = table('InboxMailRow', 'inbox_mails', {
  workspaceId: ref().primary().autoincrement(false),
  userId: ref().primary().autoincrement(false),
  series: p.text().primary(),
  /** When the last one was sent. */
  sentAt: time().nullable(),
  /** True if a job is to send the next one. */
  isAnnounced: p.boolean(),
});

/** Choices of people that differ from the default, in all their workspaces. */
export const InboxSettingRow = table('InboxSettingRow', 'inbox_settings', {
  userId: ref().primary().autoincrement(false),
  kind: p.text().$type<InboxKind>().primary(),
  mail: p.text().$type<MailTime>(),
});

import type { Event } from '#events';
import type { Page, PageRequest } from '#kernel';
import type { InboxEntry } from './domain/entry.ts';
import type { MailSettings } from './domain/mail-settings.ts';
import type { Audience, InboxKind, Recipient, Topic } from './domain/news.ts';

/** A person in a workspace. */
export interface Reader {
  readonly workspaceId: number;
  readonly userId: number;
}

/** A series of mails to a person: about one subject, or once a day about all. */
export interface Mailing extends Reader {
  readonly series: string;
}

/** When a mail of a series was sent. */
export interface LastMail {
  /** `null` for never. */
  readonly sentAt: Date | null;
  /** True if a job is to send the next one. */
  readonly isAnnounced: boolean;
}

export interface NewEntry extends Recipient {
  readonly event: Event;
  /** The series of mails that is to have the entry; `null` for none. */
  readonly series: string | null;
}

export interface InboxStore {
  /**
   * Reads the people of events by one statement for a topic. A comment or decision that was deleted meanwhile has none; others
   * are not deleted until the surrounding unit of work ends.
   */
  audiences(topic: Topic, events: readonly Event[]): Promise<readonly (Audience & { readonly event: Event })[]>;

  /** The settings that people have changed, by user id. */
  mailSettings(userIds: readonly number[]): Promise<ReadonlyMap<number, Partial<MailSettings>>>;

  /**
   * Adds entries for members of the workspace of each event: a person is told of a comment once by each kind. Accounts without an
   * address get no mails.
   *
   * @returns the series for which no mail was announced, which then count as announced
   */
  add(entries: readonly NewEntry[]): Promise<readonly (Mailing & Pick<LastMail, 'sentAt'>)[]>;

  /** Marks unread entries of a person, without effect on those of others. */
  markRead(reader: Reader, which: MarkedEntries, at: Date): Promise<void>;

  saveMailSettings(userId: number, settings: Partial<MailSettings>): Promise<void>;
}

/** Entries by id, or all of some kinds. */
export type MarkedEntries = { readonly ids: readonly number[] } | { readonly kinds: readonly InboxKind[] };

/** Entries that wait for a mail, and the time of the last mail of each series. */
export interface InboxMailStore {
  /** Locks a series until the surrounding unit of work ends. */
  lock(mailing: Mailing): Promise<LastMail | null>;

  /**
   * Reads the unread entries of these kinds that wait for the mail, oldest first. Others that wait are not mailed later: of other kinds,
   * read ones, those about what was deleted, and all when the person is no member now.
   *
   * @returns `null` without any
   */
  collect(
    mailing: Mailing,
    kinds: readonly InboxKind[],
  ): Promise<{ readonly email: string; readonly entries: readonly InboxEntry[] } | null>;

  /** Keeps when the last mail was sent; `null` for never. */
  setSentAt(mailing: Mailing, sentAt: Date | null): Promise<void>;

  /** Marks entries as mailed. @returns whether others wait; a mail counts as announced then */
  finish(mailing: Mailing, entryIds: readonly number[]): Promise<boolean>;
}

/** Reads. What was deleted meanwhile is left out. */
export interface InboxViews {
  /** A page of the entries of these kinds, newest first; with `isOpen` only requests for changes that are open. */
  entries(
    reader: Reader,
    filter: { readonly kinds: readonly InboxKind[]; readonly isUnread: boolean; readonly isOpen: boolean },
    page: PageRequest,
  ): Promise<Page<InboxEntry>>;

  /** The number of unread entries, counted up to `MAX_COUNTED`. */
  unread(reader: Reader): Promise<number>;
}

import { subjectOf, type Event, type EventType } from '#events';
import { mailOf, type MailMessage, type MailPart } from '#mail';
import type { EntryFacts } from './entry.ts';
import { isDaily, isReview } from './mail-settings.ts';
import type { InboxKind } from './news.ts';

/** An entry to mail. */
export interface Notice extends EntryFacts {
  readonly kind: InboxKind;
  readonly event: Pick<Event, 'type' | 'subjectId'>;
}

/** One mail of a series to a person. */
export interface Digest {
  readonly series: string;
  readonly email: string;
  /** In the order in which they came about. */
  readonly notices: readonly Notice[];
}

/** Further notices are counted. */
export const MAX_NOTICES = 20;
const MAX_QUOTE = 300;

/** Notices that still hold: of the decisions about an item the last one, and none that was taken back. */
export function currentNotices(notices: readonly Notice[]): readonly Notice[] {
  const last = new Map(notices.filter(({ kind }) => kind === 'decision').map((each) => [each.mediaId, each]));
  return notices.filter(
    (each) => each.kind !== 'decision' || (last.get(each.mediaId) === each && each.verdict !== 'none'),
  );
}

/**
 * The mail, or `null` when no notice is left.
 *
 * @param consoleUrl `null` where there is no console
 */
export function inboxMail({ notices, series, email }: Digest, consoleUrl: string | null): MailMessage | null {
  const isSummary = ({ kind }: Notice) => kind === 'summary';
  const current = currentNotices(notices).toSorted((one, other) => Number(isSummary(other)) - Number(isSummary(one)));
  const [first] = current;
  if (!first) return null;
  const subject =
    current.length === 1 || (isReview(series) && isSummary(first))
      ? headlineOf(first)
      : `${current.length} news ${isDaily(series) ? 'in your inbox' : `of ${titleOf(first)}`}`;
  const further = current.length - MAX_NOTICES;
  return mailOf({
    to: email,
    subject,
    parts: [
      ...current.slice(0, MAX_NOTICES).flatMap((notice) => partsOf(notice, consoleUrl)),
      ...(further > 0 ? [`There is more in your inbox: ${further} further.`] : []),
      {
        note: isDaily(series)
          ? 'You get at most one such mail a day.'
          : `You get at most one such mail an hour for each ${isReview(series) ? 'link' : subjectOf(first.event).type}.`,
      },
      { note: `To choose what is mailed: "Mails" in your account${consoleUrl ? `, ${consoleUrl}/account` : ''}` },
    ],
  });
}

/** Headlines of events without an author. */
const HEADLINES: { readonly [Type in EventType]?: (title: string) => string } = {
  'share.opened': (title) => `Your link ${title} was opened`,
  'batch.ended': (title) => `Your batch ${title} has ended`,
  'style.ready': (title) => `Your style ${title} is ready`,
  'style.failed': (title) => `Your style ${title} could not be trained`,
  'model.retiring': (title) => `The model ${title} is about to end`,
  'model.gone': (title) => `The model ${title} is gone`,
};

function headlineOf(notice: Notice): string {
  const headline = HEADLINES[notice.event.type];
  if (headline) return headline(titleOf(notice));
  const author = onOneLine(notice.author ?? '') || 'Somebody';
  return `${author} ${deedOf(notice)} on ${titleOf(notice)}`;
}

function deedOf({ kind, verdict, item }: Notice): string {
  if (kind === 'mention') return 'mentioned you';
  if (kind === 'summary') return 'is done with the review';
  return kind === 'comment' ? 'commented' : DECIDED[verdict ?? 'none'](item === null ? 'an item' : quoted(item, 100));
}

const DECIDED = {
  approved: (item: string) => `approved ${item}`,
  changes_requested: (item: string) => `asked for changes of ${item}`,
  none: (item: string) => `took a decision about ${item} back`,
} as const;

function partsOf(notice: Notice, consoleUrl: string | null): MailPart[] {
  const quote = notice.text ? `: ${quoted(notice.text, MAX_QUOTE)}` : '.';
  const { path, label } = linkOf(notice);
  return [`${headlineOf(notice)}${quote}`, ...(consoleUrl === null ? [] : [{ link: `${consoleUrl}${path}`, label }])];
}

/** The page of the console that shows what an entry is about. */
function linkOf({ kind, event, boardId, folderId, mediaId, personaId }: Notice): { path: string; label: string } {
  const folder = folderId === null ? '' : `folder=${folderId}&`;
  if (mediaId !== null) return { path: `/boards/${boardId}?${folder}media=${mediaId}`, label: 'Open the item' };
  if (boardId !== null) return { path: `/boards/${boardId}`, label: 'Open the board' };
  if (personaId !== null) return { path: `/personas/${personaId}`, label: 'Open the persona' };
  if (event.type === 'batch.ended') return { path: `/batches/${event.subjectId}`, label: 'Open the batch' };
  if (kind !== 'model') return { path: '/inbox', label: 'Open the inbox' };
  return { path: `/generate?model=${encodeURIComponent(event.subjectId)}`, label: 'Open Generate' };
}

function titleOf({ title }: Notice): string {
  return quoted(title, 100);
}

/** A text by others without control and format characters, which could disguise the rest of the mail. */
function onOneLine(text: string): string {
  return text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
}

function quoted(text: string, length: number): string {
  const plain = [...onOneLine(text)];
  return `“${plain.length > length ? `${plain.slice(0, length).join('')}…` : plain.join('')}”`;
}

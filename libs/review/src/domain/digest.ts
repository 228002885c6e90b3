import { mailOf, type MailMessage, type MailPart } from '#mail';
import type { Verdict } from './decision.ts';

/** A notice by mail: a comment mentions the person, or an item that they put on the board has a decision. */
export type Notice = {
  readonly mediaId: number;
  /** `null` for the board's root. */
  readonly folderId: number | null;
  /** Name of who wrote or decided; `null` without one. */
  readonly author: string | null;
} & (
  | { readonly kind: 'mention'; readonly text: string }
  | { readonly kind: 'decision'; readonly verdict: Verdict; readonly text: string | null }
);

/** One mail to a person about one board. */
export interface Digest {
  readonly boardId: number;
  readonly boardName: string;
  readonly email: string;
  /** In the order in which they came about. */
  readonly notices: readonly Notice[];
}

/** A person gets at most one mail an hour for each board. */
const INTERVAL_MS = 3_600_000;
/** Further notices are counted. */
export const MAX_NOTICES = 20;
const MAX_QUOTE = 300;

/** @param sentAt when the person got the last mail about the board; `null` for never */
export function secondsUntilMail(sentAt: Date | null, now: Date): number {
  if (sentAt === null) return 0;
  return Math.max(0, Math.ceil((sentAt.getTime() + INTERVAL_MS - now.getTime()) / 1000));
}

/** Notices that still hold: of the decisions about an item the last one, and none that was taken back. */
export function currentNotices(notices: readonly Notice[]): readonly Notice[] {
  const last = new Map(notices.filter(({ kind }) => kind === 'decision').map((each) => [each.mediaId, each]));
  return notices.filter(
    (each) => each.kind === 'mention' || (last.get(each.mediaId) === each && each.verdict !== 'none'),
  );
}

/**
 * The mail, or `null` when no notice is left.
 *
 * @param consoleUrl `null` where there is no console
 */
export function digestMail({ notices, ...digest }: Digest, consoleUrl: string | null): MailMessage | null {
  const current = currentNotices(notices);
  if (current.length === 0) return null;
  const board = quoted(digest.boardName, 100);
  const further = current.length - MAX_NOTICES;
  return mailOf({
    to: digest.email,
    subject: current.length === 1 ? `${headlineOf(current[0]!)} on ${board}` : `${current.length} news of ${board}`,
    parts: [
      ...current.slice(0, MAX_NOTICES).flatMap((notice) => partsOf(notice, digest.boardId, consoleUrl)),
      ...(further > 0 ? [`There is more on the board: ${further} further.`] : []),
      { note: 'You get at most one such mail an hour for each board.' },
      {
        note: `To get none: turn off "Mails about boards" in your account${consoleUrl ? `, ${consoleUrl}/account` : ''}`,
      },
    ],
  });
}

const DECIDED: Readonly<Record<Exclude<Verdict, 'none'>, string>> = {
  approved: 'approved an item of yours',
  changes_requested: 'asked for changes of an item of yours',
};

function headlineOf(notice: Notice): string {
  const author = onOneLine(notice.author ?? '') || 'Somebody';
  if (notice.kind === 'mention') return `${author} mentioned you`;
  return `${author} ${notice.verdict === 'none' ? 'took a decision back' : DECIDED[notice.verdict]}`;
}

function partsOf(notice: Notice, boardId: number, consoleUrl: string | null): MailPart[] {
  const quote = notice.text ? `: ${quoted(notice.text, MAX_QUOTE)}` : '.';
  const folder = notice.folderId === null ? '' : `folder=${notice.folderId}&`;
  const link = `${consoleUrl}/boards/${boardId}?${folder}media=${notice.mediaId}`;
  return [`${headlineOf(notice)}${quote}`, ...(consoleUrl === null ? [] : [{ link, label: 'Open the item' }])];
}

/** A text by others without control and format characters, which could disguise the rest of the mail. */
function onOneLine(text: string): string {
  return text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
}

function quoted(text: string, length: number): string {
  const plain = [...onOneLine(text)];
  return `“${plain.length > length ? `${plain.slice(0, length).join('')}…` : plain.join('')}”`;
}

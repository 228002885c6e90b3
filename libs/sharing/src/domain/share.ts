import { personNameOf, type PasswordHash } from '#identity';
import { DomainError, invalidField, lineOf, notFound } from '#kernel';

/** Rights of the guests of a link beside looking. */
export const ALLOWANCES = ['download', 'comment', 'decide'] as const;
export type Allowance = (typeof ALLOWANCES)[number];

export const MAX_SHARED_MEDIA = 500;
export const MAX_NAME_LENGTH = 255;
export const MIN_SHARE_PASSWORD = 4;
export const MAX_SHARE_PASSWORD = 200;
export const MAX_WATERMARK = 80;
const MAX_DAYS = 366;

/** Contents of a link: always as they are now. */
export type SharedItems =
  | { readonly of: 'board'; readonly boardId: number }
  /** A folder with the folders in it. */
  | { readonly of: 'folder'; readonly folderId: number }
  | { readonly of: 'media'; readonly mediaIds: readonly number[] };

/** Texts over every picture that guests get; `null` for none. */
export interface Overlay {
  /** Tiled over the whole picture. */
  readonly watermark: string | null;
  /** Once, in the bottom right corner. */
  readonly label: string | null;
}

/** Terms that members choose for a link. */
export interface ShareTerms extends Overlay {
  readonly name: string;
  readonly allow: readonly Allowance[];
  readonly passwordHash: PasswordHash | null;
  /** `null` for a link that does not expire. */
  readonly expiresAt: Date | null;
}

/** A link that shows media items to guests, who have no account. */
export interface Share extends ShareTerms {
  readonly id: number;
  readonly workspaceId: number;
  /** User id. */
  readonly createdBy: number;
  readonly of: SharedItems['of'];
  /** The shared board, or the board of the shared folder. */
  readonly boardId: number | null;
  readonly folderId: number | null;
  /** Grows with each change of the password: guests who entered before must enter again. */
  readonly passwordVersion: number;
}

/** A guest of a link, as a browser. */
export interface Guest {
  readonly id: number;
  readonly shareId: number;
  /** `null` until the guest gives one. */
  readonly name: string | null;
  /** The version of the password with which the guest entered. */
  readonly passwordVersion: number;
}

/** Reasons beside its end that close a link. */
export interface SharedState {
  /** True if something of what it shows exists; a board or folder may be empty. */
  readonly hasContents: boolean;
  readonly isWorkspaceErased: boolean;
}

/** A link is open until it expires, what it shows is deleted, or the erasure of its workspace begins. */
export function isOpen(share: Pick<Share, 'expiresAt'> & SharedState, now: Date): boolean {
  const { expiresAt, hasContents, isWorkspaceErased } = share;
  return hasContents && !isWorkspaceErased && (expiresAt === null || expiresAt > now);
}

/** @throws DomainError `not_found` for an unknown link as for one that is not open */
export function requireOpen<Open extends Share & SharedState>(share: Open | null, now: Date): Open {
  if (!share || !isOpen(share, now)) throw notFound('share');
  return share;
}

/** True if guests get copies with a text over them, and no originals. */
export function hasOverlay({ watermark, label }: Overlay): boolean {
  return watermark !== null || label !== null;
}

/** Reports whether a guest may see what is shared: everybody without a password, else who gave the present one. */
export function hasEntered(share: Pick<Share, 'passwordHash' | 'passwordVersion'>, guest: Guest | null): boolean {
  return share.passwordHash === null || guest?.passwordVersion === share.passwordVersion;
}

/** Reports whether a guest who gives this password tries one: a link without a password takes any. */
export function triesPassword({ passwordHash }: Pick<Share, 'passwordHash'>, given: string | null): boolean {
  return passwordHash !== null && given !== null;
}

/** @throws DomainError `forbidden` */
export function assertAllows({ allow }: Pick<Share, 'allow'>, allowance: Allowance): void {
  if (!allow.includes(allowance)) throw new DomainError('forbidden', `this link does not allow to ${allowance}`);
}

/** @throws DomainError `guest_name_required` for a guest without a name */
export function namedGuest<Each extends Guest>(guest: Each | null): Each & { readonly name: string } {
  if (guest?.name) return { ...guest, name: guest.name };
  throw new DomainError('guest_name_required', 'give your name first: `POST …/enter` with `name`');
}

/** @throws DomainError `validation_failed` */
export function shareNameOf(text: string): string {
  return lineOf('name', text, MAX_NAME_LENGTH);
}

/** The name that a guest gives. @throws DomainError `validation_failed` */
export function guestNameOf(text: string): string {
  return personNameOf(text, MAX_GUEST_NAME);
}
export const MAX_GUEST_NAME = 60;

/** @throws DomainError `validation_failed` */
export function watermarkOf(text: string): string {
  return lineOf('watermark', text, MAX_WATERMARK);
}

/** @throws DomainError `validation_failed` for a time that is over, or more than a year away */
export function expiryOf(expiresAt: Date, now: Date): Date {
  const days = (expiresAt.getTime() - now.getTime()) / 86_400_000;
  if (days > 0 && days <= MAX_DAYS) return expiresAt;
  throw invalidField('expires_at', 'must be in the future, and at most a year away');
}

/** Each allowance once, in one order. */
export function allowanceOf(given: readonly Allowance[]): readonly Allowance[] {
  return ALLOWANCES.filter((each) => given.includes(each));
}

import type { CreateShareRequest, ShareDto, UpdateShareRequest } from '../api/index.ts';

/** Rights of guests, in the order in which they are offered. */
export const RIGHTS = ['comment', 'decide', 'download'] as const;
export type Right = (typeof RIGHTS)[number];

/** How long a link is open: `day` until the end of a day, `same` as it was before a change. */
export type Expiry = 'week' | 'month' | 'year' | 'day' | 'never' | 'same';

export interface ShareForm {
  readonly name: string;
  readonly allow: readonly Right[];
  readonly expiry: Expiry;
  /** Such as `2026-12-24`. */
  readonly day: string;
  readonly hasPassword: boolean;
  readonly password: string;
  readonly hasWatermark: boolean;
  readonly watermark: string;
  readonly hasLabel: boolean;
  /** Empty for the text of the installation. */
  readonly label: string;
}

/** Items to share. */
export type Shared =
  | { readonly board_id: number }
  | { readonly board_id: number; readonly folder_id: number }
  | { readonly board_id: number; readonly media_ids: readonly number[] };

export function newForm(name: string): ShareForm {
  const noTexts = { hasWatermark: false, watermark: '', hasLabel: false, label: '' };
  return { name, allow: ['comment', 'decide'], expiry: 'month', day: '', hasPassword: false, password: '', ...noTexts };
}

export function formOf({ name, allow, has_password, watermark, label }: ShareDto): ShareForm {
  const secret = { hasPassword: has_password, password: '' };
  const texts = {
    ...{ hasWatermark: watermark !== null, watermark: watermark ?? '' },
    ...{ hasLabel: label !== null, label: label ?? '' },
  };
  return { name, allow: allow as Right[], expiry: 'same', day: '', ...secret, ...texts };
}

const labelOf = ({ hasLabel, label }: ShareForm) => (hasLabel ? label.trim() || true : null);

/** The end of a link; undefined leaves it as it is. */
function expiresAt({ expiry, day }: ShareForm, now: Date): string | null | undefined {
  const [year, month, date] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const at = (then: Date) => then.toISOString();
  const later = (months: number, days: number) =>
    new Date(year, month + months, date + days, now.getHours(), now.getMinutes());
  switch (expiry) {
    case 'same':
      return undefined;
    case 'never':
      return null;
    case 'week':
      return at(later(0, 7));
    case 'month':
      return at(later(1, 0));
    case 'year':
      return at(later(12, 0));
    case 'day':
      return at(new Date(`${day}T23:59:59`));
  }
}

/** The fields that are missing. */
export function missingIn(
  { expiry, day, hasPassword, password, hasWatermark, watermark }: ShareForm,
  keepsPassword: boolean,
): readonly ('day' | 'password' | 'watermark')[] {
  const missing = {
    day: expiry === 'day' && day === '',
    password: hasPassword && password === '' && !keepsPassword,
    watermark: hasWatermark && watermark.trim() === '',
  };
  return (['day', 'password', 'watermark'] as const).filter((field) => missing[field]);
}

/** The request that makes a link. */
export function creationOf(form: ShareForm, shared: Shared, now = new Date()): CreateShareRequest {
  const { name, allow, hasPassword, password, hasWatermark, watermark } = form;
  // Items and folders are named without their board.
  const { board_id: boardId, ...within } = shared;
  return {
    ...(Object.keys(within).length > 0 ? within : { board_id: boardId }),
    ...(name.trim() !== '' && { name: name.trim() }),
    allow: [...allow],
    expires_at: expiresAt(form, now) ?? null,
    ...(hasPassword && { password }),
    ...(hasWatermark && { watermark: watermark.trim() }),
    ...(form.hasLabel && { label: labelOf(form) }),
  } as CreateShareRequest;
}

/** The request that changes a link: only what is different. */
export function changeOf(form: ShareForm, before: ShareDto, now = new Date()): UpdateShareRequest {
  const { name, allow, hasPassword, password, hasWatermark, watermark } = form;
  const mark = hasWatermark ? watermark.trim() : null;
  const label = labelOf(form);
  const until = expiresAt(form, now);
  const secret = hasPassword ? password || undefined : before.has_password ? null : undefined;
  return {
    ...(name.trim() !== '' && name.trim() !== before.name && { name: name.trim() }),
    ...(RIGHTS.some((right) => allow.includes(right) !== before.allow.includes(right)) && { allow: [...allow] }),
    ...(until !== undefined && { expires_at: until }),
    ...(secret !== undefined && { password: secret }),
    ...(mark !== before.watermark && { watermark: mark }),
    ...(label !== before.label && { label }),
  };
}

/** Without characters that are taken for another. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A password of 14 random characters: 80 bits. */
export function newPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(64));
  // Larger bytes would make some characters more frequent.
  const fair = [...bytes].filter((byte) => byte < 256 - (256 % LETTERS.length));
  return fair
    .slice(0, 14)
    .map((byte) => LETTERS[byte % LETTERS.length])
    .join('');
}

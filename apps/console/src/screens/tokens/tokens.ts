import type { TokenDto } from '../../api/index.ts';

const SOON_MS = 7 * 86_400_000;

/** Whether a token has expired, or expires within a week. */
export function expiryOf({ expires_at: at }: Pick<TokenDto, 'expires_at'>, now: Date): 'expired' | 'soon' | 'later' {
  if (at === null) return 'later';
  const left = Date.parse(at) - now.getTime();
  if (left <= 0) return 'expired';
  return left < SOON_MS ? 'soon' : 'later';
}

/** The API tokens with `q` in their name, newest first. */
export function apiTokens(tokens: readonly TokenDto[], q: string): readonly TokenDto[] {
  const wanted = q.trim().toLocaleLowerCase();
  return tokens.filter(({ kind, name }) => kind === 'api' && name.toLocaleLowerCase().includes(wanted));
}

import type { TokenDto } from '../../api/index.ts';

const SOON_MS = 7 * 86_400_000;

/** Whether a token is over, or about to be: then somebody has to act. */
export function expiryOf({ expires_at: at }: Pick<TokenDto, 'expires_at'>, now: Date): 'expired' | 'soon' | 'later' {
  if (at === null) return 'later';
  const left = Date.parse(at) - now.getTime();
  if (left <= 0) return 'expired';
  return left < SOON_MS ? 'soon' : 'later';
}

/** The tokens with `q` in their name; that of this browser first. */
export function found(tokens: readonly TokenDto[], q: string): readonly TokenDto[] {
  const wanted = q.trim().toLocaleLowerCase();
  const named = tokens.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  return [...named.filter(({ is_current }) => is_current), ...named.filter(({ is_current }) => !is_current)];
}

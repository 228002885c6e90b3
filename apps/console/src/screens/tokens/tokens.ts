import type { CreateTokenRequest, TokenDto } from '../../api/index.ts';
import { words } from './words.ts';

export type Scope = NonNullable<TokenDto['scopes']>[number];

/** In the order in which the form lists them. */
export const SCOPES = Object.keys(words.scopes) as Scope[];

/** Rights that most programs need. `null` is everything. */
const PRESETS = { everything: null, read: ['read'], generate: ['generate', 'upload'] } as const satisfies Readonly<
  Record<string, readonly Scope[] | null>
>;

/** A preset, or the scopes that are ticked one by one. */
export type Grant = keyof typeof PRESETS | 'chosen';

export interface TokenForm {
  readonly name: string;
  /** `never` for a token that does not expire. */
  readonly expires_in_days: string;
  readonly grant: Grant;
  readonly scopes: readonly string[];
  /** Credits a month; empty for no limit. */
  readonly monthly_credits: number | string;
  /** Empty for none. */
  readonly customer: string;
}

export function tokenRequest(form: TokenForm): CreateTokenRequest {
  const { name, expires_in_days: lifetime, grant, scopes, monthly_credits: credits, customer } = form;
  const granted = grant === 'chosen' ? SCOPES.filter((scope) => scopes.includes(scope)) : PRESETS[grant];
  return {
    name: name.trim(),
    expires_in_days: lifetime === 'never' ? null : Number(lifetime),
    monthly_credits: credits === '' ? null : Number(credits),
    ...(granted && { scopes: [...granted] }),
    ...(customer.trim() && { customer: customer.trim() }),
  };
}

/** `Read, Upload`; or that the token may do everything. */
export function scopesInWords(scopes: readonly Scope[] | null): string {
  if (scopes === null) return words.grants.everything.label;
  return scopes.map((scope) => words.scopes[scope].label).join(', ');
}

/** A call that each scope allows. */
const EXAMPLES: Readonly<Record<Scope, string>> = {
  read: '/v2/models',
  generate: '/v2/models',
  upload: '/v2/upload -d filename=picture.png',
  personas: '/v2/personas',
  boards: '/boards',
  team: '/v2/team/members',
  webhooks: '/v2/webhooks/deliveries',
  account: '/v2/auth/me',
};

/** The arguments of curl for a first call with a token. */
export function exampleFor(scopes: readonly Scope[] | null): string {
  return EXAMPLES[scopes?.[0] ?? 'account'];
}

const SOON_MS = 7 * 86_400_000;

/** State of the expiry of a token; `soon` is within a week. */
export function expiryOf(
  { expires_at: at }: Pick<TokenDto, 'expires_at'>,
  now = new Date(),
): 'expired' | 'soon' | 'later' {
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

import { DomainError } from '#kernel';

/** Scopes that a token may be limited to. */
export const SCOPES = ['read', 'upload', 'generate', 'personas', 'boards', 'team', 'webhooks', 'account'] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * The scope of the operations of each resource, by operation id or by its first words; the longest entry counts. `null`:
 * any token may call it.
 */
const SCOPE_OF: Readonly<Record<string, Scope | null>> = {
  audit: 'account',
  auth: 'account',
  'auth.session.delete': null,
  batches: 'generate',
  boards: 'boards',
  credits: 'generate',
  customers: 'team',
  downloads: 'boards',
  events: 'webhooks',
  files: 'read',
  generations: 'generate',
  inbox: 'account',
  library: 'boards',
  models: 'generate',
  personas: 'personas',
  'personas.styles.create': 'generate',
  presets: 'generate',
  provenance: 'boards',
  results: 'generate',
  searches: 'boards',
  shares: 'boards',
  tags: 'boards',
  team: 'team',
  trash: 'boards',
  uploads: 'upload',
  webhookEndpoints: 'webhooks',
  webhooks: 'webhooks',
  workspace: 'team',
};

/**
 * The scopes of an operation: a token needs one of them, and none if there are none. `read` is one of them for each read
 * but those of `account`.
 *
 * @throws Error when the table has no entry for the operation, so that the program does not start
 */
export function scopesOf(operation: string, { isRead }: { readonly isRead: boolean }): readonly Scope[] {
  const words = operation.split('.');
  const entries = words.map((_, index) => words.slice(0, words.length - index).join('.'));
  const entry = entries.find((name) => Object.hasOwn(SCOPE_OF, name));
  if (entry === undefined) {
    throw new Error(`${operation} has no scope: add its resource, ${words[0]}, to SCOPE_OF in ${FILE}`);
  }
  const scope = SCOPE_OF[entry]!;
  if (scope === null) return [];
  return isRead && scope !== 'account' ? [scope, 'read'] : [scope];
}

const FILE = 'libs/identity/src/domain/scopes.ts';

/**
 * @param granted the scopes of the token; `null` for all
 * @param accepted the scopes of the operation
 * @throws DomainError `insufficient_scope`
 */
export function assertScope(granted: readonly Scope[] | null, accepted: readonly Scope[]): void {
  if (granted === null || accepted.length === 0 || accepted.some((scope) => granted.includes(scope))) return;
  throw new InsufficientScope(accepted);
}

export class InsufficientScope extends DomainError {
  /** A scope that the token lacks. */
  readonly scope: string;

  /** @param accepted scopes of which one is enough, at least one */
  constructor(accepted: readonly string[]) {
    super('insufficient_scope', `the API token lacks the scope ${accepted.join(' or ')}: use one that has it`);
    this.scope = accepted[0]!;
  }
}

/**
 * The scopes of a new token: those asked for, or all that its maker has.
 *
 * @param maker the scopes of the token that makes it; `null` for all, as `asked`
 * @throws DomainError `insufficient_scope` when the maker lacks one
 */
export function scopesWithin(maker: readonly Scope[] | null, asked: readonly Scope[] | null): readonly Scope[] | null {
  if (asked === null) return maker;
  for (const scope of asked) assertScope(maker, [scope]);
  return asked;
}

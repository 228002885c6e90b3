/** An action without details. */
type Plain = Readonly<Record<string, never>>;

/** How somebody signed in, or failed to. */
export type SignInMethod = 'sign_up' | 'password' | 'code' | 'token' | 'link' | 'sso';

/**
 * The recorded actions with the details of each. Details are words, numbers and ids: no secrets, and nothing that names
 * a person, as entries outlive accounts.
 */
export interface AuditDetails {
  readonly 'account.create': Plain;
  readonly 'account.sign_in': { readonly by: SignInMethod };
  readonly 'account.sign_in_failed': { readonly by: 'password' | 'code' };
  readonly 'account.update': { readonly fields: readonly ('name' | 'avatar' | 'external_id')[] };
  readonly 'account.password_change': { readonly by: 'password' | 'mail' | 'operator' };
  readonly 'account.password_reset_request': Plain;
  readonly 'account.email_change_request': Plain;
  readonly 'account.email_confirm': { readonly changed: boolean };
  readonly 'account.two_factor_on': Plain;
  readonly 'account.two_factor_off': { readonly by: 'code' | 'operator' };
  readonly 'account.recovery_codes_replace': Plain;
  readonly 'account.sign_in_link': Plain;
  /** An identity of single sign-on is linked. */
  readonly 'account.identity_link': Plain;
  readonly 'account.identity_unlink': Plain;
  /** The owner of the address takes an unconfirmed account: all other ways in end. */
  readonly 'account.take_over': Plain;
  readonly 'account.erase': Plain;
  /** An export of the account's data is requested. */
  readonly 'account.export': Plain;
  readonly 'account.operator_change': { readonly operator: boolean; readonly by: 'cli' | 'claim' | 'operator' };
  readonly 'session.end': Plain;
  /** Ends the user's other sessions. */
  readonly 'session.end_others': Plain;
  readonly 'token.create': { readonly expires: string | null; readonly scopes: readonly string[] | null };
  readonly 'token.revoke': Plain;
  /** A grant to an application, by OAuth. */
  readonly 'grant.create': { readonly scopes: readonly string[] };
  readonly 'grant.end': Plain;
  /** A machine token, with which programs operate the service. */
  readonly 'machine_token.create': { readonly expires: string | null; readonly scopes: readonly string[] };
  readonly 'machine_token.revoke': Plain;
  readonly 'team.create': { readonly plan: string };
  readonly 'team.member_add': { readonly role: string };
  readonly 'team.member_remove': { readonly left: boolean };
  readonly 'team.role_change': { readonly from: string; readonly to: string };
  readonly 'team.ownership_transfer': Plain;
  readonly 'team.invite': { readonly role: string };
  readonly 'team.invitation_revoke': Plain;
  readonly 'team.invitation_accept': { readonly role: string };
  readonly 'team.invitation_decline': Plain;
  readonly 'workspace.plan_change': { readonly from: string; readonly to: string };
  readonly 'workspace.update': { readonly fields: readonly 'name'[] };
  /** Readers of the files: anyone who has a URL, or whoever has a signed one. */
  readonly 'workspace.files_change': { readonly files: 'public' | 'private' };
  /** URLs that were signed before end. */
  readonly 'workspace.file_key_rotate': Plain;
  readonly 'workspace.suspend': Plain;
  readonly 'workspace.resume': Plain;
  /** The workspace is deleted with everything in it. */
  readonly 'workspace.erase': Plain;
  readonly 'credits.grant': { readonly amount: number };
  /** A customer, by the number of its row: its label may name a person. */
  readonly 'customer.update': { readonly monthly_credits: number | null; readonly total_credits: number | null };
  readonly 'webhook_secret.rotate': Plain;
  readonly 'webhook_endpoint.create': Plain;
  readonly 'webhook_endpoint.update': Plain;
  readonly 'webhook_endpoint.rotate': Plain;
  readonly 'webhook_endpoint.delete': Plain;
  /** An entry of the catalogue; `id` is that of the catalogue. */
  readonly 'provider.save': {
    readonly id: string;
    readonly revision: number;
    readonly base_url: string | null;
    readonly base_urls?: readonly string[];
    readonly key_changed: boolean;
  };
  readonly 'provider.delete': { readonly id: string };
  readonly 'model.save': { readonly id: string; readonly revision: number; readonly offered: boolean };
  readonly 'model.delete': { readonly id: string };
  /** A trial of a model. `revision` is null for an entry of the file, and for one that is not saved. */
  readonly 'model.try': { readonly id: string; readonly revision: number | null; readonly saved: boolean };
  /** The vendor no longer has the model. */
  readonly 'model.gone': { readonly id: string; readonly revision: number | null };
  readonly 'board.delete': Plain;
  readonly 'board.restore': Plain;
  readonly 'board.erase': Plain;
  readonly 'folder.delete': Plain;
  readonly 'folder.restore': Plain;
  readonly 'folder.erase': Plain;
  /** Media items of one board. */
  readonly 'media.delete': { readonly items: readonly number[] };
  /** A decision about a media item in its review; of a guest, if it says so. */
  readonly 'media.decide': { readonly decision: string; readonly guest?: true };
  /** A request for changes was closed without a newer version. */
  readonly 'media.close_request': Plain;
  readonly 'media.restore': Plain;
  readonly 'media.erase': Plain;
  /** Items of the library, by the ids of their files. The target is the first. */
  readonly 'item.delete': { readonly items: readonly number[] };
  /** All items of a deletion. */
  readonly 'item.restore': Plain;
  readonly 'item.erase': Plain;
  readonly 'persona.delete': Plain;
  readonly 'persona.restore': Plain;
  readonly 'persona.erase': Plain;
  /** A link to a zip of files. */
  readonly 'download.create': { readonly of: string; readonly files: number; readonly bytes: number };
  readonly 'preset.delete': Plain;
  readonly 'style.delete': Plain;
  /** A saved search of the library. */
  readonly 'search.delete': Plain;
  /** A comment on a media item, or a thread. */
  readonly 'comment.delete': { readonly item: number; readonly guest?: true };
  /** A link for guests; `of` says what it shows. */
  readonly 'share.create': { readonly of: string; readonly allow: readonly string[] };
  readonly 'share.update': { readonly fields: readonly string[] };
  readonly 'share.delete': Plain;
}

export type AuditAction = keyof AuditDetails;

/** Kind of object that each action changes. The target of an entry is the id of one. */
export const AUDIT_TARGETS = {
  'account.create': 'user',
  'account.sign_in': 'user',
  'account.sign_in_failed': 'user',
  'account.update': 'user',
  'account.password_change': 'user',
  'account.password_reset_request': 'user',
  'account.email_change_request': 'user',
  'account.email_confirm': 'user',
  'account.two_factor_on': 'user',
  'account.two_factor_off': 'user',
  'account.recovery_codes_replace': 'user',
  'account.sign_in_link': 'user',
  'account.identity_link': 'user',
  'account.identity_unlink': 'user',
  'account.take_over': 'user',
  'account.erase': 'user',
  'account.export': 'user',
  'account.operator_change': 'user',
  'session.end': 'session',
  'session.end_others': 'user',
  'token.create': 'token',
  'token.revoke': 'token',
  'grant.create': 'token',
  'grant.end': 'token',
  'machine_token.create': 'machine_token',
  'machine_token.revoke': 'machine_token',
  'team.create': 'workspace',
  'team.member_add': 'user',
  'team.member_remove': 'user',
  'team.role_change': 'user',
  'team.ownership_transfer': 'user',
  'team.invite': 'invitation',
  'team.invitation_revoke': 'invitation',
  'team.invitation_accept': 'invitation',
  'team.invitation_decline': 'invitation',
  'workspace.plan_change': 'workspace',
  'workspace.update': 'workspace',
  'workspace.files_change': 'workspace',
  'workspace.file_key_rotate': 'workspace',
  'workspace.suspend': 'workspace',
  'workspace.resume': 'workspace',
  'workspace.erase': 'workspace',
  'credits.grant': 'workspace',
  'customer.update': 'customer',
  'webhook_secret.rotate': 'workspace',
  'webhook_endpoint.create': 'webhook_endpoint',
  'webhook_endpoint.update': 'webhook_endpoint',
  'webhook_endpoint.rotate': 'webhook_endpoint',
  'webhook_endpoint.delete': 'webhook_endpoint',
  'provider.save': 'provider',
  'provider.delete': 'provider',
  'model.save': 'model',
  'model.delete': 'model',
  'model.try': 'trial',
  'model.gone': 'model',
  'board.delete': 'board',
  'board.restore': 'board',
  'board.erase': 'board',
  'folder.delete': 'folder',
  'folder.restore': 'folder',
  'folder.erase': 'folder',
  'media.delete': 'board',
  'media.decide': 'media',
  'media.close_request': 'media',
  'media.restore': 'media',
  'media.erase': 'media',
  'item.delete': 'item',
  'item.restore': 'item',
  'item.erase': 'item',
  'persona.delete': 'persona',
  'persona.restore': 'persona',
  'persona.erase': 'persona',
  'download.create': 'download',
  'preset.delete': 'preset',
  'style.delete': 'style',
  'search.delete': 'search',
  'comment.delete': 'comment',
  'share.create': 'share',
  'share.update': 'share',
  'share.delete': 'share',
} as const satisfies Readonly<Record<AuditAction, string>>;

export const AUDIT_ACTIONS = Object.keys(AUDIT_TARGETS) as AuditAction[];

export type AuditTargetType = (typeof AUDIT_TARGETS)[AuditAction];

export const AUDIT_TARGET_TYPES = [...new Set<AuditTargetType>(Object.values(AUDIT_TARGETS))];

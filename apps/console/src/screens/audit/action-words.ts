import { count } from '../../text.ts';
import type { AuditAction, AuditEntryDto } from './audit-query.ts';

/** An action and its target, in words. */
interface Done {
  /** `“Moods”`, `ada@example.com`; a type and an id if the target has no name. */
  readonly target: string;
  /** The account of the target: `their account` if it is the actor's own. */
  readonly account: string;
  readonly details: AuditEntryDto['details'];
}

interface ActionWords {
  /** The name of the action, in the filter. */
  readonly label: string;
  /** The rest of a sentence that begins with the actor. */
  readonly did: (done: Done) => string;
}

const WAYS: Readonly<Record<string, string>> = {
  sign_up: 'after the sign-up',
  password: 'with the password',
  code: 'with the password and a code',
  token: 'with an API token',
  link: 'with a sign-in link',
  sso: 'by single sign-on',
};

const FIELDS: Readonly<Record<string, string>> = {
  avatar: 'picture',
  review_mails: 'mails about boards',
  external_id: 'external id',
};

const way = (by: unknown) => WAYS[String(by)] ?? String(by);
const role = (value: unknown) => (value === 'admin' || value === 'owner' ? `an ${value}` : `a ${String(value)}`);
const listed = (value: unknown) => (Array.isArray(value) ? value : []);
const tokenScopes = ({ scopes }: AuditEntryDto['details']) => {
  if (!Array.isArray(scopes)) return 'for everything';
  return `with ${scopes.length === 1 ? 'the scope' : 'the scopes'} ${scopes.join(', ')}`;
};

const deletion = (thing: string) => ({
  delete: { label: `${thing} deleted`, did: ({ target }: Done) => `deleted the ${thing.toLowerCase()} ${target}` },
  restore: { label: `${thing} restored`, did: ({ target }: Done) => `restored the ${thing.toLowerCase()} ${target}` },
  erase: {
    label: `${thing} deleted for good`,
    did: ({ target }: Done) => `deleted the ${thing.toLowerCase()} ${target} for good`,
  },
});

const board = deletion('Board');
const folder = deletion('Folder');
const item = deletion('Item');
const libraryItem = deletion('Library item');
const persona = deletion('Persona');

/** Guests of share links have no account: the service acts for them. */
const byGuest = (details: Done['details']) => (details.guest ? ' for a guest' : '');

/** A new action of the service has to be added here: else types are wrong. */
export const ACTION_WORDS = {
  'account.create': { label: 'Account created', did: ({ account }) => `created ${account}` },
  'account.sign_in': { label: 'Sign-in', did: ({ details }) => `signed in ${way(details.by)}` },
  'account.sign_in_failed': {
    label: 'Failed sign-in',
    did: ({ details }) => `did not get in: the ${details.by === 'code' ? 'code' : 'password'} was wrong`,
  },
  'account.update': {
    label: 'Profile changed',
    did: ({ account, details }) => {
      const fields = listed(details.fields).map((field) => FIELDS[String(field)] ?? String(field));
      return `changed the ${fields.join(' and ') || 'profile'} of ${account}`;
    },
  },
  'account.password_change': {
    label: 'Password changed',
    did: ({ account, details }) => `changed the password of ${account}${details.by === 'mail' ? ' by mail' : ''}`,
  },
  'account.password_reset_request': {
    label: 'Password reset requested',
    did: ({ account }) => `asked for a mail to reset the password of ${account}`,
  },
  'account.email_change_request': {
    label: 'E-mail change requested',
    did: ({ account }) => `asked to change the e-mail address of ${account}`,
  },
  'account.email_confirm': {
    label: 'E-mail confirmed',
    did: ({ account, details }) => `${details.changed ? 'changed' : 'confirmed'} the e-mail address of ${account}`,
  },
  'account.two_factor_on': { label: 'Two-factor on', did: ({ account }) => `turned on two-factor for ${account}` },
  'account.two_factor_off': { label: 'Two-factor off', did: ({ account }) => `turned off two-factor for ${account}` },
  'account.recovery_codes_replace': {
    label: 'Recovery codes replaced',
    did: ({ account }) => `replaced the recovery codes of ${account}`,
  },
  'account.sign_in_link': { label: 'Sign-in link made', did: ({ account }) => `made a sign-in link for ${account}` },
  'account.identity_link': {
    label: 'Single sign-on linked',
    did: ({ account }) => `linked ${account} with single sign-on`,
  },
  'account.identity_unlink': {
    label: 'Single sign-on unlinked',
    did: ({ account }) => `unlinked ${account} from single sign-on`,
  },
  'account.take_over': {
    label: 'Account taken over',
    did: ({ account }) => `took over ${account}, whose address was not confirmed: all other ways in have ended`,
  },
  'account.erase': { label: 'Account deleted', did: ({ account }) => `deleted ${account} for good` },
  'account.export': { label: 'Export requested', did: ({ account }) => `requested an export of ${account}` },
  'account.operator_change': {
    label: 'Operator right changed',
    did: ({ target, details }) =>
      details.operator ? `made ${target} an operator` : `took the right of an operator from ${target}`,
  },
  'session.end': { label: 'Session ended', did: () => 'ended a session' },
  'session.end_others': {
    label: 'Other sessions ended',
    did: ({ account }) => `ended all other sessions of ${account}`,
  },
  'token.create': {
    label: 'Token created',
    did: ({ target, details }) => `created the token ${target} ${tokenScopes(details)}`,
  },
  'token.revoke': { label: 'Token revoked', did: ({ target }) => `revoked the token ${target}` },
  'machine_token.create': {
    label: 'Machine token created',
    did: ({ target, details }) => `created the machine token ${target} ${tokenScopes(details)}`,
  },
  'machine_token.revoke': {
    label: 'Machine token revoked',
    did: ({ target }) => `revoked the machine token ${target}`,
  },
  'team.create': { label: 'Team created', did: ({ details }) => `created the team with the plan ${details.plan}` },
  'team.member_add': {
    label: 'Member added',
    did: ({ target, details }) => `added ${target} to the team as ${role(details.role)}`,
  },
  'team.member_remove': {
    label: 'Member removed',
    did: ({ target, details }) => (details.left ? 'left the team' : `removed ${target} from the team`),
  },
  'team.role_change': {
    label: 'Role changed',
    did: ({ target, details }) => `made ${target} ${role(details.to)}, before ${role(details.from)}`,
  },
  'team.ownership_transfer': {
    label: 'Ownership transferred',
    did: ({ target }) => `transferred the ownership to ${target}`,
  },
  'team.invite': {
    label: 'Invitation sent',
    did: ({ target, details }) => `invited ${target} as ${role(details.role)}`,
  },
  'team.invitation_revoke': {
    label: 'Invitation withdrawn',
    did: ({ target }) => `withdrew the invitation of ${target}`,
  },
  'team.invitation_accept': {
    label: 'Invitation accepted',
    did: ({ details }) => `accepted the invitation as ${role(details.role)}`,
  },
  'team.invitation_decline': { label: 'Invitation declined', did: () => 'declined the invitation' },
  'workspace.plan_change': {
    label: 'Plan changed',
    did: ({ details }) => `changed the plan from ${details.from} to ${details.to}`,
  },
  'workspace.update': { label: 'Workspace renamed', did: () => 'renamed the workspace' },
  'workspace.suspend': { label: 'Workspace suspended', did: () => 'suspended the workspace' },
  'workspace.resume': { label: 'Suspension ended', did: () => 'ended the suspension of the workspace' },
  'workspace.erase': { label: 'Workspace deleted', did: () => 'deleted the workspace for good' },
  'credits.grant': {
    label: 'Credits granted',
    did: ({ details }) => `granted ${count(Number(details.amount), 'credit')}`,
  },
  'customer.update': {
    label: 'Budget of a customer changed',
    did: ({ target }) => `changed the budget of the customer ${target}`,
  },
  'webhook_endpoint.create': { label: 'Webhook endpoint registered', did: () => 'registered a webhook endpoint' },
  'webhook_endpoint.update': { label: 'Webhook endpoint changed', did: () => 'changed a webhook endpoint' },
  'webhook_endpoint.rotate': {
    label: 'Secret of a webhook endpoint replaced',
    did: () => 'replaced the secret of a webhook endpoint',
  },
  'webhook_endpoint.delete': { label: 'Webhook endpoint deleted', did: () => 'deleted a webhook endpoint' },
  'webhook_secret.rotate': { label: 'Signing secret replaced', did: () => 'replaced the signing secret of webhooks' },
  'provider.save': { label: 'Provider saved', did: ({ details }) => `saved the provider “${details.id}”` },
  'provider.delete': { label: 'Provider deleted', did: ({ details }) => `deleted the provider “${details.id}”` },
  'model.save': { label: 'Model saved', did: ({ details }) => `saved the model “${details.id}”` },
  'model.delete': { label: 'Model deleted', did: ({ details }) => `deleted the model “${details.id}”` },
  'model.try': { label: 'Model tried', did: ({ details }) => `tried the model “${details.id}”` },
  'model.gone': { label: 'Model gone', did: ({ details }) => `found that the vendor no longer has “${details.id}”` },
  'board.delete': board.delete,
  'board.restore': board.restore,
  'board.erase': board.erase,
  'folder.delete': folder.delete,
  'folder.restore': folder.restore,
  'folder.erase': folder.erase,
  'media.delete': {
    label: 'Items deleted',
    did: ({ target, details }) => `deleted ${count(listed(details.items).length, 'item')} of the board ${target}`,
  },
  'media.decide': {
    label: 'Item decided',
    did: ({ target, details }) =>
      details.decision === 'none'
        ? `took the decision about ${target} back${byGuest(details)}`
        : `${details.decision === 'approved' ? 'approved' : 'asked for changes of'} ${target}${byGuest(details)}`,
  },
  'media.close_request': {
    label: 'Request for changes closed',
    did: ({ target }) => `closed the request for changes of ${target}`,
  },
  'media.restore': item.restore,
  'media.erase': item.erase,
  'item.delete': {
    label: 'Library items deleted',
    did: ({ details }) => `deleted ${count(listed(details.items).length, 'item')} of the library`,
  },
  'item.restore': libraryItem.restore,
  'item.erase': libraryItem.erase,
  'persona.delete': persona.delete,
  'persona.restore': persona.restore,
  'persona.erase': persona.erase,
  'download.create': {
    label: 'Files downloaded',
    did: ({ details }) => `asked for a zip of ${count(Number(details.files), 'file')}`,
  },
  'preset.delete': { label: 'Preset deleted', did: ({ target }) => `deleted the preset ${target}` },
  'search.delete': { label: 'Saved search deleted', did: ({ target }) => `deleted the saved search ${target}` },
  'comment.delete': {
    label: 'Comment deleted',
    did: ({ target, details }) => `deleted the comment ${target}${byGuest(details)}`,
  },
  'share.create': { label: 'Share link made', did: ({ target }) => `made the share link ${target}` },
  'share.update': { label: 'Share link changed', did: ({ target }) => `changed the share link ${target}` },
  'share.delete': { label: 'Share link deleted', did: ({ target }) => `switched off the share link ${target}` },
  'style.delete': { label: 'Style deleted', did: ({ target }) => `deleted the trained style ${target}` },
} satisfies Readonly<Record<AuditAction, ActionWords>>;

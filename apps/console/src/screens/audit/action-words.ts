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

function act(label: string, did: (done: Done) => string): ActionWords {
  return { label, did };
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
  delete: act(`${thing} deleted`, ({ target }) => `deleted the ${thing.toLowerCase()} ${target}`),
  restore: act(`${thing} restored`, ({ target }) => `restored the ${thing.toLowerCase()} ${target}`),
  erase: act(`${thing} deleted for good`, ({ target }) => `deleted the ${thing.toLowerCase()} ${target} for good`),
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
  'account.create': act('Account created', ({ account }) => `created ${account}`),
  'account.sign_in': act('Sign-in', ({ details }) => `signed in ${way(details.by)}`),
  'account.sign_in_failed': act(
    'Failed sign-in',
    ({ details }) => `did not get in: the ${details.by === 'code' ? 'code' : 'password'} was wrong`,
  ),
  'account.update': act('Profile changed', ({ account, details }) => {
    const fields = listed(details.fields).map((field) => FIELDS[String(field)] ?? String(field));
    return `changed the ${fields.join(' and ') || 'profile'} of ${account}`;
  }),
  'account.password_change': act(
    'Password changed',
    ({ account, details }) => `changed the password of ${account}${details.by === 'mail' ? ' by mail' : ''}`,
  ),
  'account.password_reset_request': act(
    'Password reset requested',
    ({ account }) => `asked for a mail to reset the password of ${account}`,
  ),
  'account.email_change_request': act(
    'E-mail change requested',
    ({ account }) => `asked to change the e-mail address of ${account}`,
  ),
  'account.email_confirm': act(
    'E-mail confirmed',
    ({ account, details }) => `${details.changed ? 'changed' : 'confirmed'} the e-mail address of ${account}`,
  ),
  'account.two_factor_on': act('Two-factor on', ({ account }) => `turned on two-factor for ${account}`),
  'account.two_factor_off': act('Two-factor off', ({ account }) => `turned off two-factor for ${account}`),
  'account.recovery_codes_replace': act(
    'Recovery codes replaced',
    ({ account }) => `replaced the recovery codes of ${account}`,
  ),
  'account.sign_in_link': act('Sign-in link made', ({ account }) => `made a sign-in link for ${account}`),
  'account.identity_link': act('Single sign-on linked', ({ account }) => `linked ${account} with single sign-on`),
  'account.identity_unlink': act('Single sign-on unlinked', ({ account }) => `unlinked ${account} from single sign-on`),
  'account.take_over': act(
    'Account taken over',
    ({ account }) => `took over ${account}, whose address was not confirmed: all other ways in have ended`,
  ),
  'account.erase': act('Account deleted', ({ account }) => `deleted ${account} for good`),
  'account.export': act('Export requested', ({ account }) => `requested an export of ${account}`),
  'account.operator_change': act('Operator rights changed', ({ target, details }) =>
    details.operator ? `made ${target} an operator` : `removed the operator rights of ${target}`,
  ),
  'session.end': act('Session ended', () => 'ended a session'),
  'session.end_others': act('Other sessions ended', ({ account }) => `ended all other sessions of ${account}`),
  'token.create': act('Token created', ({ target, details }) => `created the token ${target} ${tokenScopes(details)}`),
  'token.revoke': act('Token revoked', ({ target }) => `revoked the token ${target}`),
  'grant.create': act(
    'Application connected',
    ({ target, details }) => `connected the application ${target} ${tokenScopes(details)}`,
  ),
  'grant.end': act('Application disconnected', ({ target }) => `disconnected the application ${target}`),
  'machine_token.create': act(
    'Machine token created',
    ({ target, details }) => `created the machine token ${target} ${tokenScopes(details)}`,
  ),
  'machine_token.revoke': act('Machine token revoked', ({ target }) => `revoked the machine token ${target}`),
  'team.create': act('Team created', ({ details }) => `created the team with the plan ${details.plan}`),
  'team.member_add': act(
    'Member added',
    ({ target, details }) => `added ${target} to the team as ${role(details.role)}`,
  ),
  'team.member_remove': act('Member removed', ({ target, details }) =>
    details.left ? 'left the team' : `removed ${target} from the team`,
  ),
  'team.role_change': act(
    'Role changed',
    ({ target, details }) => `made ${target} ${role(details.to)}, before ${role(details.from)}`,
  ),
  'team.ownership_transfer': act('Ownership transferred', ({ target }) => `transferred the ownership to ${target}`),
  'team.invite': act('Invitation sent', ({ target, details }) => `invited ${target} as ${role(details.role)}`),
  'team.invitation_revoke': act('Invitation withdrawn', ({ target }) => `withdrew the invitation of ${target}`),
  'team.invitation_accept': act(
    'Invitation accepted',
    ({ details }) => `accepted the invitation as ${role(details.role)}`,
  ),
  'team.invitation_decline': act('Invitation declined', () => 'declined the invitation'),
  'workspace.plan_change': act(
    'Plan changed',
    ({ details }) => `changed the plan from ${details.from} to ${details.to}`,
  ),
  'workspace.update': act('Workspace renamed', () => 'renamed the workspace'),
  'workspace.files_change': act(
    'Files made public or private',
    ({ details }) => `made the files ${String(details.files)}`,
  ),
  'workspace.file_key_rotate': act('Key of file URLs rotated', () => 'rotated the key that signs the URLs of files'),
  'workspace.suspend': act('Workspace suspended', () => 'suspended the workspace'),
  'workspace.resume': act('Suspension ended', () => 'ended the suspension of the workspace'),
  'workspace.erase': act('Workspace deleted', () => 'deleted the workspace for good'),
  'credits.grant': act('Credits granted', ({ details }) => `granted ${count(Number(details.amount), 'credit')}`),
  'customer.update': act(
    'Budget of a customer changed',
    ({ target }) => `changed the budget of the customer ${target}`,
  ),
  'webhook_endpoint.create': act('Webhook endpoint registered', () => 'registered a webhook endpoint'),
  'webhook_endpoint.update': act('Webhook endpoint changed', () => 'changed a webhook endpoint'),
  'webhook_endpoint.rotate': act(
    'Secret of a webhook endpoint replaced',
    () => 'replaced the secret of a webhook endpoint',
  ),
  'webhook_endpoint.delete': act('Webhook endpoint deleted', () => 'deleted a webhook endpoint'),
  'webhook_secret.rotate': act('Signing secret replaced', () => 'replaced the signing secret of webhooks'),
  'provider.save': act('Provider saved', ({ details }) => `saved the provider “${details.id}”`),
  'provider.delete': act('Provider deleted', ({ details }) => `deleted the provider “${details.id}”`),
  'model.save': act('Model saved', ({ details }) => `saved the model “${details.id}”`),
  'model.delete': act('Model deleted', ({ details }) => `deleted the model “${details.id}”`),
  'model.try': act('Model tried', ({ details }) => `tried the model “${details.id}”`),
  'model.gone': act('Model gone', ({ details }) => `found that the vendor no longer has “${details.id}”`),
  'board.delete': board.delete,
  'board.restore': board.restore,
  'board.erase': board.erase,
  'folder.delete': folder.delete,
  'folder.restore': folder.restore,
  'folder.erase': folder.erase,
  'media.delete': act(
    'Items deleted',
    ({ target, details }) => `deleted ${count(listed(details.items).length, 'item')} of the board ${target}`,
  ),
  'media.decide': act('Item decided', ({ target, details }) =>
    details.decision === 'none'
      ? `took the decision about ${target} back${byGuest(details)}`
      : `${details.decision === 'approved' ? 'approved' : 'asked for changes of'} ${target}${byGuest(details)}`,
  ),
  'media.close_request': act(
    'Request for changes closed',
    ({ target }) => `closed the request for changes of ${target}`,
  ),
  'media.restore': item.restore,
  'media.erase': item.erase,
  'item.delete': act(
    'Library items deleted',
    ({ details }) => `deleted ${count(listed(details.items).length, 'item')} of the library`,
  ),
  'item.restore': libraryItem.restore,
  'item.erase': libraryItem.erase,
  'persona.delete': persona.delete,
  'persona.restore': persona.restore,
  'persona.erase': persona.erase,
  'download.create': act(
    'Files downloaded',
    ({ details }) => `asked for a zip of ${count(Number(details.files), 'file')}`,
  ),
  'preset.delete': act('Preset deleted', ({ target }) => `deleted the preset ${target}`),
  'search.delete': act('Saved search deleted', ({ target }) => `deleted the saved search ${target}`),
  'comment.delete': act('Comment deleted', ({ target, details }) => `deleted the comment ${target}${byGuest(details)}`),
  'share.create': act('Share link made', ({ target }) => `made the share link ${target}`),
  'share.update': act('Share link changed', ({ target }) => `changed the share link ${target}`),
  'share.delete': act('Share link deleted', ({ target }) => `switched off the share link ${target}`),
  'style.delete': act('Style deleted', ({ target }) => `deleted the trained style ${target}`),
} satisfies Readonly<Record<AuditAction, ActionWords>>;

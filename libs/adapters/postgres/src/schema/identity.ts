import { p } from '@mikro-orm/postgresql';
import {
  CONFIRMATION_PURPOSES,
  GRANT_KINDS,
  TOKEN_KINDS,
  type Email,
  type OperateScope,
  type PasswordHash,
  type Scope,
} from '#identity';
import type { Metadata, Sealed } from '#kernel';
import { DELIVERIES } from '#team';
import { id, ref, table, time } from './columns.ts';

export const User = table('User', 'users', {
  id: id(),
  /** Null after the erasure of the person was requested: nothing of them is left but the id. */
  email: p.text().$type<Email>().nullable(),
  name: p.text().nullable(),
  passwordHash: p.text().$type<PasswordHash>().nullable(),
  createdAt: time(),
  confirmedAt: time().nullable(),
  avatarFileId: ref().nullable(),
  emailVerifiedAt: time().nullable(),
  /** For 0.2: `inbox_settings` has it. Dropped with 0.4. */
  reviewMails: p.boolean().default(true),
  isOperator: p.boolean().default(false),
  /** True if a claim of the issuer made the user an operator. */
  operatorByClaim: p.boolean().default(false),
  erasureRequestedAt: time().nullable(),
  erasedAt: time().nullable(),
  /** Name of the user in the application of an operator. */
  externalId: p.text().nullable(),
  /** True for the owner of a workspace without a person: an account that nobody can sign in to. */
  isService: p.boolean().default(false),
});

/** Settings that clients keep for a user, by name. */
export const UserPreferences = table('UserPreferences', 'user_preferences', {
  userId: ref().primary().autoincrement(false),
  preferences: p.json<Metadata>(),
});

export const Workspace = table('Workspace', 'workspaces', {
  id: id(),
  kind: p.enum(['personal', 'team']),
  plan: p.text(),
  createdAt: time(),
  membersCount: p.integer().defaultRaw('0'),
  /** When the erasure of its only member was requested: it is erased too, and nobody joins. */
  erasureRequestedAt: time().nullable(),
  /** Null for workspaces that operators have not named. */
  name: p.text().nullable(),
  /** Name of the workspace in the application of an operator. */
  externalId: p.text().nullable(),
  /** Null for a workspace that is not suspended. */
  suspendedAt: time().nullable(),
  /** Readers of its files: anyone who has a URL, or whoever has a signed one. */
  files: p.enum(['public', 'private']).default('public'),
  /** When `files` changed; null once the former URLs have ended. */
  filesMovingSince: time().nullable(),
  /** True while objects of its files may be at the other place. */
  filesMisplaced: p.boolean().default(false),
  /** Grows with each rotation of the key that signs the URLs of files. */
  fileKeyVersion: p.integer().default(1),
  fileKeyRotatedAt: time().nullable(),
});

export const Membership = table('Membership', 'memberships', {
  workspaceId: ref().primary(),
  userId: ref().primary(),
  isTeam: p.boolean(),
  role: p.enum(['owner', 'admin', 'member']),
  addedBy: ref().nullable(),
  joinedAt: time(),
});

export const ApiToken = table('ApiToken', 'api_tokens', {
  id: id(),
  userId: ref(),
  name: p.text(),
  hash: p.blob(),
  createdAt: time(),
  lastUsedAt: time().nullable(),
  expiresAt: time().nullable(),
  kind: p.enum([...TOKEN_KINDS, ...GRANT_KINDS]).default('api'),
  parentId: ref().nullable(),
  /** IP address from which a session was opened. */
  address: p.text().nullable(),
  userAgent: p.text().nullable(),
  /** Null for all. */
  scopes: p.array().$type<readonly Scope[]>().nullable(),
  /** Null for a token without a budget. */
  monthlyCredits: p.integer().nullable(),
  /** The customer of each of its calls; null for any. */
  customer: p.text().nullable(),
});

export const OAuthGrant = table('OAuthGrant', 'oauth_grants', {
  /** The token of the grant, with which it ends. */
  tokenId: ref().primary().autoincrement(false),
  clientId: p.text(),
  redirectUri: p.text(),
  codeHash: p.blob(),
  codeChallenge: p.text(),
  codeExpiresAt: time(),
  redeemedAt: time().nullable(),
  refreshHash: p.blob().nullable(),
  /** Refresh tokens that were used, newest first. */
  formerHashes: p.blob().$type<Buffer[]>().columnType('bytea[]').defaultRaw(`'{}'`),
});

export const MachineTokenRow = table('MachineTokenRow', 'machine_tokens', {
  id: id(),
  name: p.text(),
  hash: p.blob(),
  scopes: p.array().$type<readonly OperateScope[]>(),
  createdAt: time(),
  lastUsedAt: time().nullable(),
  expiresAt: time().nullable(),
});

export const SignInLinkRow = table('SignInLinkRow', 'sign_in_links', {
  id: id(),
  userId: ref(),
  hash: p.blob(),
  isLocal: p.boolean(),
  createdAt: time(),
  expiresAt: time(),
  usedAt: time().nullable(),
});

export const AccountConfirmation = table('AccountConfirmation', 'account_confirmations', {
  id: id(),
  userId: ref(),
  purpose: p.enum(CONFIRMATION_PURPOSES),
  email: p.text().$type<Email>(),
  /** Newest first. */
  tokenHashes: p.blob().$type<Buffer[]>().columnType('bytea[]').defaultRaw(`'{}'`),
  createdAt: time(),
  expiresAt: time(),
});

export const TwoFactorRow = table('TwoFactorRow', 'two_factors', {
  userId: ref().primary().autoincrement(false),
  secret: p.text().$type<Sealed>(),
  createdAt: time(),
  /** Null while it is pending. */
  confirmedAt: time().nullable(),
  /** The latest time step whose code was accepted. */
  lastStep: p.bigint('number').defaultRaw('0'),
  /** Tries of codes since the last one that was accepted. */
  failures: p.integer().defaultRaw('0'),
  failedAt: time().nullable(),
});

export const RecoveryCodeRow = table('RecoveryCodeRow', 'recovery_codes', {
  userId: ref().primary(),
  hash: p.blob().primary(),
});

export const LogInChallengeRow = table('LogInChallengeRow', 'log_in_challenges', {
  id: id(),
  userId: ref(),
  hash: p.blob(),
  tries: p.integer().defaultRaw('0'),
  createdAt: time(),
  expiresAt: time(),
});

export const IdentityRow = table('IdentityRow', 'identities', {
  id: id(),
  userId: ref(),
  issuer: p.text(),
  subject: p.text(),
  email: p.text().$type<Email>().nullable(),
  createdAt: time(),
});

export const Invitation = table('Invitation', 'invitations', {
  id: id(),
  workspaceId: ref(),
  email: p.text().$type<Email>(),
  role: p.enum(['admin', 'member']),
  invitedBy: ref(),
  /** The user to add, or who has answered; null for an address without an account. */
  userId: ref().nullable(),
  /** Newest first; empty after the invitation has ended. */
  tokenHashes: p.blob().$type<Buffer[]>().columnType('bytea[]').defaultRaw(`'{}'`),
  state: p.enum(['pending', 'accepted', 'declined', 'revoked']).defaultRaw(`'pending'`),
  delivery: p.enum([...DELIVERIES]).defaultRaw(`'waiting'`),
  createdAt: time(),
  expiresAt: time(),
  endedAt: time().nullable(),
});

export const IdempotencyKey = table('IdempotencyKey', 'idempotency_keys', {
  caller: p.text().primary(),
  keyHash: p.blob().primary(),
  requestHash: p.blob(),
  status: p.smallint(),
  answer: p.blob(),
  createdAt: time(),
});

export const RateLimit = table('RateLimit', 'rate_limits', {
  key: p.string().length(255).primary(),
  points: p.integer().defaultRaw('0'),
  expire: p.bigint('number').nullable(),
});

import { Inject, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Settings } from '#config';
import {
  Accounts,
  ApiTokens,
  LogInChallenges,
  Confirmations,
  Operators,
  Gate,
  Grants,
  MachineTokens,
  PasswordChanges,
  Preferences,
  Provisioning,
  Reauthentication,
  Sessions,
  SingleSignOn,
  SignInLinks,
  TakeOvers,
  Teams,
  Tokens,
  TwoFactors,
  type AccountHook,
  type AccountStore,
  type Directory,
  type IdentityStore,
  type MachineTokenStore,
  type OpenIdProvider,
  type Passwords,
  type Plans,
  type SessionRules,
  type SingleSignOnRules,
  type SessionStore,
  type TakeOverHook,
  type TokenStore,
} from '#identity';
import { Argon2Passwords, OtpCodes, RandomTokenSecrets } from '#adapters/secrets';
import { HttpClientDocuments, OpenIdIssuer } from '#adapters/oidc';
import { SafeHttp } from '#adapters/outgoing-http';
import {
  Database,
  PostgresAccounts,
  PostgresConfirmations,
  PostgresDirectory,
  PostgresGrants,
  PostgresIdentities,
  PostgresLogInChallenges,
  PostgresMachineTokens,
  PostgresPreferences,
  PostgresRecoveryCodes,
  PostgresSessions,
  PostgresSignInLinks,
  PostgresTeams,
  PostgresTokens,
  PostgresTwoFactors,
} from '#adapters/postgres';
import { CreatorSharesModule, endShares } from './creator-shares.module.ts';
import { defaultPersona, DefaultPersonaModule } from './default-persona.module.ts';
import { auditLog, clock, jobs, sealer, settings, unitOfWork } from './platform.ts';
import { provide, provideAs, provideMade, provideWith, SharedModule, token } from './provide.ts';

export const plans = token<Plans>('Plans');
export const passwords = token<Passwords>('Passwords');
export const directory = token<Directory>('Directory');
export const accountStore = token<AccountStore>('AccountStore');
export const sessionStore = token<SessionStore>('SessionStore');
export const tokenStore = token<TokenStore>('TokenStore');
export const machineTokenStore = token<MachineTokenStore>('MachineTokenStore');
export const accountHooks = token<readonly AccountHook[]>('AccountHooks');
export const takeOverHooks = token<readonly TakeOverHook[]>('TakeOverHooks');
export const identityStore = token<IdentityStore>('IdentityStore');
export const sessionRules = token<SessionRules>('SessionRules');
export const openIdProvider = token<OpenIdProvider | null>('OpenIdProvider');
/** The server that the tokens of applications are issued for (RFC 8707): the address of MCP. */
export const mcpResource = token<string>('McpResource');
export const mcpResourceOf = ({ publicUrl }: { readonly publicUrl: string }): string => `${publicUrl}/mcp`;
export const singleSignOnRules = token<SingleSignOnRules>('SingleSignOnRules');

/** Users, their workspaces and tokens. */
@SharedModule(
  [DefaultPersonaModule, CreatorSharesModule],
  provideAs(accountStore, PostgresAccounts, Database),
  provideAs(directory, PostgresDirectory, Database),
  provide(PostgresPreferences, Database),
  provide(Preferences, PostgresPreferences, unitOfWork),
  provide(PostgresTeams, Database),
  provide(PostgresSignInLinks, Database),
  provide(PostgresConfirmations, Database),
  provideAs(sessionStore, PostgresSessions, Database, tokenStore),
  provide(PostgresLogInChallenges, Database),
  provide(PostgresTwoFactors, Database),
  provide(PostgresRecoveryCodes, Database),
  provideMade(OtpCodes, [settings], ({ http }) => new OtpCodes(`x12 ${new URL(http.publicUrl).hostname}`)),
  provideAs(tokenStore, PostgresTokens, Database),
  provideAs(passwords, Argon2Passwords),
  provide(RandomTokenSecrets),
  provide(PostgresGrants, Database),
  provideMade(mcpResource, [settings], ({ http }) => mcpResourceOf(http)),
  provideMade(HttpClientDocuments, [settings], ({ fetch }) => new HttpClientDocuments(new SafeHttp(fetch))),
  provideMade(plans, [settings], ({ accounts }) => accounts.plans),
  provideMade(sessionRules, [settings], sessionRulesOf),
  // A subject that adds something to new accounts adds its hook here.
  provideMade(accountHooks, [defaultPersona], (...each) => each),
  provideMade(takeOverHooks, [endShares], (...each) => each),
  provide(Tokens, tokenStore, RandomTokenSecrets, clock),
  provideAs(machineTokenStore, PostgresMachineTokens, Database),
  provide(MachineTokens, machineTokenStore, RandomTokenSecrets, auditLog, unitOfWork, clock),
  provideWith(Grants, {
    auditLog,
    documents: HttpClientDocuments,
    grants: PostgresGrants,
    tokens: tokenStore,
    secrets: RandomTokenSecrets,
    unitOfWork,
    clock,
    resource: mcpResource,
  }),
  provide(SignInLinks, PostgresSignInLinks, RandomTokenSecrets, clock),
  provide(Confirmations, PostgresConfirmations, RandomTokenSecrets, jobs, clock),
  provide(Operators, accountStore, Tokens, auditLog, unitOfWork, sessionRules),
  provide(Reauthentication, accountStore, tokenStore, passwords, clock),
  provide(LogInChallenges, PostgresLogInChallenges, RandomTokenSecrets, clock),
  provideWith(TwoFactors, {
    auditLog,
    accounts: accountStore,
    confirmations: Confirmations,
    factors: PostgresTwoFactors,
    recoveryCodes: PostgresRecoveryCodes,
    codes: OtpCodes,
    sealer,
    sessions: sessionStore,
    reauthentication: Reauthentication,
    unitOfWork,
    clock,
  }),
  provideAs(identityStore, PostgresIdentities, Database),
  provideMade(openIdProvider, [settings], openIssuer),
  provideMade(singleSignOnRules, [settings], ({ oidc, accounts }) => ({ ...oidc, ...accounts })),
  provide(Teams, PostgresTeams, directory, plans, auditLog, unitOfWork, clock),
  provideWith(ApiTokens, { auditLog, tokens: Tokens, unitOfWork }),
  provideWith(Sessions, { auditLog, sessions: sessionStore, store: tokenStore, tokens: Tokens, unitOfWork }),
  provideWith(Accounts, {
    accounts: accountStore,
    auditLog,
    challenges: LogInChallenges,
    confirmations: Confirmations,
    hooks: accountHooks,
    jobs,
    links: SignInLinks,
    passwords,
    rules: sessionRules,
    tokens: Tokens,
    twoFactors: TwoFactors,
    unitOfWork,
    clock,
  }),
  provideWith(Provisioning, {
    accounts: Accounts,
    apiTokens: ApiTokens,
    store: accountStore,
    auditLog,
    directory,
    teams: Teams,
    unitOfWork,
    clock,
  }),
  provideWith(TakeOvers, {
    accounts: accountStore,
    auditLog,
    sessions: sessionStore,
    challenges: PostgresLogInChallenges,
    confirmations: Confirmations,
    hooks: takeOverHooks,
    identities: identityStore,
    operators: Operators,
    twoFactors: PostgresTwoFactors,
    clock,
  }),
  provideWith(PasswordChanges, {
    auditLog,
    accounts: accountStore,
    sessions: sessionStore,
    challenges: PostgresLogInChallenges,
    confirmations: Confirmations,
    reauthentication: Reauthentication,
    passwords,
    rules: sessionRules,
    takeOvers: TakeOvers,
    jobs,
    unitOfWork,
  }),
  provideWith(SingleSignOn, {
    auditLog,
    accounts: Accounts,
    store: accountStore,
    confirmations: Confirmations,
    gate: Gate,
    identities: identityStore,
    operators: Operators,
    provider: openIdProvider,
    reauthentication: Reauthentication,
    rules: singleSignOnRules,
    sealer,
    takeOvers: TakeOvers,
    unitOfWork,
    clock,
  }),
)
export class IdentityModule implements BeforeApplicationShutdown {
  constructor(@Inject(tokenStore) private readonly tokens: TokenStore) {}

  /** Saves the uses of tokens while the database is connected. */
  beforeApplicationShutdown(): Promise<void> {
    return this.tokens.recordUses();
  }
}

function sessionRulesOf({ accounts }: Settings): SessionRules {
  return {
    signUpEnabled: accounts.signupEnabled,
    passwordLogin: accounts.passwordLogin,
    requiresVerifiedEmail: accounts.emailVerification === 'required',
    tokenDays: accounts.tokenTtlDays || null,
  };
}

/** The callback is registered at the issuer under PUBLIC_URL. */
function openIssuer({ oidc, http }: Settings): OpenIdProvider | null {
  const { issuer, clientId, clientSecret, operatorClaim } = oidc;
  if (issuer === null || clientId === null) return null;
  const redirectUri = `${http.publicUrl}/v2/auth/oidc/callback`;
  return new OpenIdIssuer({ issuer, clientId, clientSecret, operatorClaim, redirectUri });
}

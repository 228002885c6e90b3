import { Module } from '@nestjs/common';
import type { Settings } from '#config';
import {
  Accounts,
  Teams,
  Tokens,
  type AccountHook,
  type AccountStore,
  type Directory,
  type Passwords,
  type Plans,
  type SessionRules,
  type TeamStore,
  type TokenSecrets,
  type TokenStore,
} from '#identity';
import { Argon2Passwords } from '#adapters/secrets';
import { Database, PostgresAccounts, PostgresDirectory, PostgresTeams, PostgresTokens } from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/secrets';
import { defaultPersona, PersonaModule } from './persona.module.ts';
import { clock, settings, unitOfWork } from './platform.ts';
import { provide, provideAs, provideWith, token } from './provide.ts';

export const plans = token<Plans>('Plans');
export const passwords = token<Passwords>('Passwords');
export const directory = token<Directory>('Directory');
export const accountStore = token<AccountStore>('AccountStore');
export const teamStore = token<TeamStore>('TeamStore');
export const tokenStore = token<TokenStore>('TokenStore');
export const tokenSecrets = token<TokenSecrets>('TokenSecrets');
const hooks = token<readonly AccountHook[]>('AccountHooks');
const rules = token<SessionRules>('SessionRules');

/** Users, their workspaces and tokens. */
@Module({
  imports: [PersonaModule],
  providers: [
    provideAs(accountStore, PostgresAccounts, Database),
    provideAs(directory, PostgresDirectory, Database),
    provideAs(teamStore, PostgresTeams, Database),
    provideAs(tokenStore, PostgresTokens, Database),
    provideAs(passwords, Argon2Passwords),
    provideAs(tokenSecrets, RandomTokenSecrets),
    { provide: plans, useFactory: ({ accounts }: Settings): Plans => accounts.plans, inject: [settings] },
    { provide: rules, useFactory: sessionRules, inject: [settings] },
    // Each subject that gives something to new accounts adds its hook here.
    { provide: hooks, useFactory: (...each: AccountHook[]) => each, inject: [defaultPersona] },
    provide(Tokens, tokenStore, tokenSecrets, clock),
    provide(Teams, teamStore, directory, plans, clock),
    provideWith(Accounts, { accounts: accountStore, hooks, passwords, rules, tokens: Tokens, unitOfWork, clock }),
  ],
  exports: [accountStore, directory, plans, passwords, teamStore, tokenStore, tokenSecrets, Accounts, Teams, Tokens],
})
export class IdentityModule {}

function sessionRules({ accounts }: Settings): SessionRules {
  return { signUpEnabled: accounts.signupEnabled, tokenDays: accounts.tokenTtlDays || null };
}

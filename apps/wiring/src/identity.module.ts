import { Module } from '@nestjs/common';
import type { Settings } from '#config';
import {
  Authenticate,
  ChangePassword,
  ChangePlan,
  CreateToken,
  JoinTeam,
  ListTokens,
  LogIn,
  OpenAccount,
  OpenTeam,
  ReadMe,
  RevokeToken,
  SignUp,
  type Accounts,
  type Arrival,
  type Directory,
  type Passwords,
  type Plans,
  type SessionRules,
  type Teams,
  type TokenSecrets,
  type Tokens,
} from '#identity';
import { Argon2Passwords } from '#adapters/passwords';
import {
  Database,
  PostgresAccounts,
  PostgresDirectory,
  PostgresTeams,
  PostgresTokens,
} from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/tokens';
import { defaultPersona, PersonaModule } from './persona.module.ts';
import { clock, settings, unitOfWork } from './platform.ts';
import { provide, provideAs, token } from './provide.ts';

export const plans = token<Plans>('Plans');
export const passwords = token<Passwords>('Passwords');
export const directory = token<Directory>('Directory');
export const accounts = token<Accounts>('Accounts');
const arrivals = token<readonly Arrival[]>('Arrivals');
const rules = token<SessionRules>('SessionRules');
export const tokenSecrets = token<TokenSecrets>('TokenSecrets');
export const teams = token<Teams>('Teams');
export const tokens = token<Tokens>('Tokens');

/** Users, their workspaces and tokens. */
@Module({
  imports: [PersonaModule],
  providers: [
    provideAs(accounts, PostgresAccounts, Database),
    provideAs(directory, PostgresDirectory, Database),
    provideAs(teams, PostgresTeams, Database),
    provideAs(tokens, PostgresTokens, Database),
    provideAs(passwords, Argon2Passwords),
    provideAs(tokenSecrets, RandomTokenSecrets),
    { provide: plans, useFactory: ({ accounts }: Settings): Plans => accounts.plans, inject: [settings] },
    { provide: rules, useFactory: sessionRules, inject: [settings] },
    // What every newcomer finds: each room that has something for them adds it here.
    {
      provide: arrivals,
      useFactory: (...each: Arrival[]): readonly Arrival[] => each,
      inject: [defaultPersona],
    },
    provide(Authenticate, tokens, tokenSecrets, clock),
    provide(ChangePassword, directory, passwords),
    provide(ChangePlan, directory, plans),
    provide(CreateToken, tokens, tokenSecrets, clock),
    provide(JoinTeam, teams, clock),
    provide(ListTokens, tokens),
    provide(LogIn, accounts, passwords, CreateToken, rules),
    provide(OpenAccount, accounts, arrivals, unitOfWork, clock),
    provide(OpenTeam, teams, plans, clock),
    provide(ReadMe, accounts),
    provide(RevokeToken, tokens),
    provide(SignUp, OpenAccount, CreateToken, passwords, unitOfWork, rules),
  ],
  exports: [
    accounts,
    directory,
    plans,
    passwords,
    teams,
    tokens,
    tokenSecrets,
    Authenticate,
    ChangePassword,
    ChangePlan,
    CreateToken,
    JoinTeam,
    ListTokens,
    LogIn,
    OpenAccount,
    OpenTeam,
    ReadMe,
    RevokeToken,
    SignUp,
  ],
})
export class IdentityModule {}

function sessionRules({ accounts }: Settings): SessionRules {
  return { signUpEnabled: accounts.signupEnabled, tokenDays: accounts.tokenTtlDays || null };
}

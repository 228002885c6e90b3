export * from './ports/accounts.ts';
export * from './ports/tokens.ts';
export * from './ports/two-factor.ts';
export * from './ports/single-sign-on.ts';
export * from './ports/teams.ts';
export * from './ports/grants.ts';

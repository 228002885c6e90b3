export * from './application/authenticate.ts';
export * from './domain/actor.ts';
export * from './domain/plans.ts';
export * from './domain/token.ts';
export * from './ports/token-secrets.ts';
export * from './ports/tokens.ts';

export * from './random-token-secrets.ts';

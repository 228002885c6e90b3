export * from './openid-issuer.ts';

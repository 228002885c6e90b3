export * from './client-documents.ts';
export * from './openid-issuer.ts';

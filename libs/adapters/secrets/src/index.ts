export * from './aes-sealer.ts';
export * from './argon2-passwords.ts';
export * from './otp-codes.ts';
export * from './random-token-secrets.ts';
export * from './slow-functions.ts';

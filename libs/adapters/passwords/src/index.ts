export * from './argon2-passwords.ts';

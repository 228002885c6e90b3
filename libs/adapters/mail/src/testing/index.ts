export * from './parse-mail.ts';
export * from './smtp-catcher.ts';

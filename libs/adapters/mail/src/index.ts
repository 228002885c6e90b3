export * from './file-mail.ts';
export * from './smtp-mail.ts';

export * from './domain/entry.ts';
export * from './domain/inbox-mail.ts';
export * from './domain/mail-settings.ts';
export * from './domain/news.ts';
export * from './inbox.ts';
export * from './inbox-mails.ts';
export * from './inbox-news.ts';
export * from './ports.ts';

export * from './domain/message.ts';
export * from './ports.ts';

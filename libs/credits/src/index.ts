export * from './credits.ts';
export * from './domain/balance.ts';
export * from './domain/month.ts';
export * from './ports.ts';

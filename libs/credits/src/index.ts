export * from './credits.ts';
export * from './customers.ts';
export * from './domain/balance.ts';
export * from './domain/budget-exceeded.ts';
export * from './domain/customer.ts';
export * from './domain/month.ts';
export * from './ports.ts';

export * from './deliveries.ts';
export * from './domain/delivery.ts';
export * from './domain/secret.ts';
export { HostLimiter } from './host-limiter.ts';
export * from './ports.ts';
export * from './secrets.ts';

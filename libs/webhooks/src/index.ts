export * from './deliveries.ts';
export * from './domain/delivery.ts';
export * from './domain/secret.ts';
export { HostPlaces } from './host-places.ts';
export * from './ports.ts';
export * from './secrets.ts';

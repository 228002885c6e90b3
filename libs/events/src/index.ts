export * from './domain/event.ts';
export * from './domain/event-data.ts';
export * from './event-publisher.ts';
export * from './event-watch.ts';
export * from './ports.ts';

export * from './domain/actor.ts';
export * from './domain/plans.ts';

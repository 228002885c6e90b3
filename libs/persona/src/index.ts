export * from './domain/persona.ts';
export * from './domain/slot.ts';
export * from './domain/training.ts';
export * from './personas.ts';
export * from './ports.ts';
export * from './trainings.ts';

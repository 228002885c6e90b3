export * from './postgres-personas.ts';
export * from './postgres-trainings.ts';

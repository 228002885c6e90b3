export * from './postgres-invitations.ts';
export * from './postgres-members.ts';
export * from './postgres-team-views.ts';

export * from './domain/invitation-mail.ts';
export * from './domain/invitation.ts';
export * from './domain/team.ts';
export * from './invitations.ts';
export * from './members.ts';
export * from './ports.ts';

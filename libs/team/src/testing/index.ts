export * from './invitations-contract.ts';
export * from './mail-box.ts';
export * from './mail-contract.ts';
export * from './members-contract.ts';
export * from './fixtures.ts';

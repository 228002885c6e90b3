export * from './mail-box.ts';
export * from './mail-contract.ts';

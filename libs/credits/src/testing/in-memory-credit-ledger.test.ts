import { directUnitOfWork } from '#testing/kernel';
import { creditLedgerContract } from './credit-ledger-contract.ts';
import { InMemoryCreditLedger } from './in-memory-credit-ledger.ts';

let lastId = 0;
const ledger = new InMemoryCreditLedger();

creditLedgerContract('in memory', async () => ({
  ledger,
  unitOfWork: directUnitOfWork,
  newWorkspace: async () => ({ workspaceId: ++lastId, userId: ++lastId }),
  newMember: async () => ++lastId,
  newGenerations: async (_workspaceId, _userId, count) => Array.from({ length: count }, () => ++lastId),
  faults: async () => [],
}));

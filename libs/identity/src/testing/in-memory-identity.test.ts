import { accountsContract } from './accounts-contract.ts';
import { InMemoryIdentity, PlainPasswords } from './in-memory-identity.ts';
import { passwordsContract } from './passwords-contract.ts';
import { teamsContract } from './teams-contract.ts';
import { tokensContract } from './tokens-contract.ts';

accountsContract('in memory', async () => new InMemoryIdentity().accounts);
teamsContract('in memory', async () => new InMemoryIdentity());
tokensContract('in memory', async () => new InMemoryIdentity());
passwordsContract('in plain text', () => new PlainPasswords());

import { discardedFilesContract } from './discarded-files-contract.ts';
import { filesContract } from './files-contract.ts';
import { InMemoryFileStore } from './in-memory-file-store.ts';
import { storageRecordsContract } from './storage-records-contract.ts';
import { uploadsContract } from './uploads-contract.ts';

filesContract('in memory', async () => new InMemoryFileStore());
uploadsContract('in memory', async () => new InMemoryFileStore());
discardedFilesContract('in memory', async () => new InMemoryFileStore());
storageRecordsContract('in memory', async () => new InMemoryFileStore());

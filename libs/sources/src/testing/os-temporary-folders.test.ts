import { afterAll } from '@jest/globals';
import { OsTemporaryFolders } from './os-temporary-folders.ts';
import { temporaryFoldersContract } from './temporary-folders-contract.ts';

const folders = new OsTemporaryFolders();
afterAll(() => folders.remove());

temporaryFoldersContract('OsTemporaryFolders', async () => folders);

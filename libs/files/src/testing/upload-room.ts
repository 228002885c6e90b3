import { ManualClock, RecordedJobs } from '#testing/kernel';
import type { Actor } from '#identity';
import {
  AdoptFile,
  AllocateUpload,
  DeleteDiscardedObjects,
  FinalizeUpload,
  ListPersonaFiles,
  PurgePersona,
  ReclaimFiles,
  stagingKey,
  StoreFile,
  SweepFiles,
  type FileTypes,
  type ObjectStorage,
  type RandomTokens,
  type SavedUpload,
  type UploadTicket,
} from '../index.ts';
import { someToken } from './arbitraries.ts';
import { anActor, someRules } from './builders.ts';
import type { FileStore } from './file-store.ts';
import { InMemoryFileStore } from './in-memory-file-store.ts';
import { InMemoryObjectStorage } from './in-memory-object-storage.ts';

/** Takes bytes for what they say that they are: `image/png and so on` is a PNG. */
export const plainFileTypes: FileTypes = {
  detect: async (bytes) => /^[a-z]+\/[a-z+-]+/.exec(bytes.toString('latin1'))?.[0] ?? null,
};

const randomTokens: RandomTokens = { next: someToken };

export interface UploadRoomOptions {
  readonly store?: FileStore;
  readonly storage?: ObjectStorage;
  /** How a client sends bytes to a URL that `storage` signed. */
  readonly send?: (url: string, bytes: Buffer) => Promise<unknown>;
  readonly clock?: ManualClock;
  readonly rules?: Parameters<typeof someRules>[0];
}

/** All use cases of the room on one store, with a workspace, a user and their persona. */
export async function uploadRoom(options: UploadRoomOptions = {}) {
  const clock = options.clock ?? new ManualClock();
  const store = options.store ?? new InMemoryFileStore();
  const memory = new InMemoryObjectStorage(clock);
  const storage = options.storage ?? memory;
  const sendBytes = options.send ?? (async (url, bytes) => memory.receive(url, bytes));
  const jobs = new RecordedJobs();
  const rules = someRules(options.rules);
  const { files, uploads, discarded, unitOfWork } = store;

  const deleteObjects = new DeleteDiscardedObjects(discarded, storage, unitOfWork, clock);
  const allocateUpload = new AllocateUpload(uploads, storage, randomTokens, rules, clock);
  const finalizeUpload = new FinalizeUpload(uploads, storage, plainFileTypes, randomTokens, rules, clock);
  const home = await store.newWorkspace();
  const personaId = await store.newPersona(home);
  const actor = anActor(home);

  return {
    clock,
    store,
    storage,
    jobs,
    actor,
    personaId,
    adoptFile: new AdoptFile(files, uploads, storage, randomTokens, clock),
    allocateUpload,
    finalizeUpload,
    listPersonaFiles: new ListPersonaFiles(files, storage, clock),
    purgePersona: new PurgePersona(discarded, uploads, storage, deleteObjects, jobs, unitOfWork, clock),
    reclaimFiles: new ReclaimFiles(discarded, deleteObjects, jobs, unitOfWork, clock),
    storeFile: new StoreFile(files, storage, randomTokens, clock),
    sweepFiles: new SweepFiles(discarded, uploads, storage, deleteObjects, unitOfWork, clock),

    /** As the client does it, through the signed URL. */
    async put({ finalUrl }: Pick<UploadTicket, 'finalUrl'>, content: string): Promise<void> {
      const token = finalUrl.split('/').at(-2)!;
      await storage.put(stagingKey(token), { bytes: Buffer.from(content) }, { contentType: 'any/thing' });
    },

    /** Allocated, and sent in parts. */
    async sendParts(filename: string, contents: readonly string[], by: Actor = actor): Promise<UploadTicket> {
      const ticket = await allocateUpload.run(by, { filename, parts: contents.length });
      for (const [index, content] of contents.entries()) {
        await sendBytes(ticket.partUrls![index]!, Buffer.from(content));
      }
      return ticket;
    },

    sendBytes,

    /** Allocated and sent. */
    async send(filename: string, content: string, by: Actor = actor): Promise<UploadTicket> {
      const ticket = await allocateUpload.run(by, { filename });
      await this.put(ticket, content);
      return ticket;
    },

    /** Allocated, sent and finalized. */
    async save(filename: string, content: string, by: Actor = actor): Promise<SavedUpload> {
      return finalizeUpload.run(by, (await this.send(filename, content, by)).finalUrl);
    },
  };
}

export type UploadRoom = Awaited<ReturnType<typeof uploadRoom>>;

/** Every object that is stored, by key. */
export async function storedKeys(storage: ObjectStorage): Promise<string[]> {
  const keys: string[] = [];
  for (const prefix of ['files/', 'frozen/', 'staging/']) {
    for await (const batch of storage.list(prefix)) keys.push(...batch.map((object) => object.key));
  }
  return keys.sort();
}

import type { Actor } from '#identity';
import { DomainError } from '#kernel';
import { anActor } from '#testing/identity';
import { RecordedEvents } from '#testing/events';
import { ManualClock, RecordedJobs } from '#testing/kernel';
import {
  FileDeletion,
  Files,
  stagingKey,
  StoredUrls,
  Uploads,
  withPrivatePlaces,
  type BarePictures,
  type FileToStore,
  type FileTypes,
  type ObjectStorage,
  type StoredFile,
  type UploadRequest,
  type UploadTicket,
} from '../index.ts';
import { someRules } from './builders.ts';
import type { FileStore } from './file-store.ts';
import { InMemoryObjectStorage } from './in-memory-object-storage.ts';

/** Detects the type by the first words of the bytes: `image/png and so on` is a PNG. */
const plainFileTypes: FileTypes = {
  detect: async (bytes) => /^[a-z]+\/[a-z+-]+/.exec(bytes.toString('latin1'))?.[0] ?? null,
};

/** Removes ` at 52.5, 13.4` from pictures, drops the signature of signed ones, and refuses those with the word `broken`. */
const plainBarePictures: BarePictures = {
  async use(open, _contentType, work) {
    const text = Buffer.concat((await (await open()).toArray()) as Buffer[]).toString();
    if (text.includes('broken')) throw new DomainError('file_type_mismatch', 'broken');
    const marking = text.includes('signed') ? 'signature_dropped' : null;
    return work({ bytes: Buffer.from(text.replace(/ at [\d., ]+/, '')) }, marking);
  },
};

interface UploadRoomOptions {
  readonly store: FileStore;
  readonly storage?: ObjectStorage;
  /** Sends bytes to a URL signed by `storage`, as a client does. */
  readonly send?: (url: string, bytes: Buffer) => Promise<unknown>;
  readonly clock?: ManualClock;
  readonly rules?: Parameters<typeof someRules>[0];
  /** Days that the bytes of deleted files are kept. */
  readonly graceDays?: number;
  /** Maximum number of items that a deletion or a sweep processes in one transaction. */
  readonly groupSize?: number;
}

type Ticket = UploadTicket & { readonly finalUrl: string };
type Saved = { readonly file: StoredFile; readonly url: string };

/** The use cases of files on one store, with a workspace, a user and their persona. */
export async function uploadRoom({ store, ...options }: UploadRoomOptions) {
  const clock = options.clock ?? new ManualClock();
  const memory = new InMemoryObjectStorage(clock);
  const places = options.storage ?? memory;
  const storage = withPrivatePlaces(places);
  const sendBytes = options.send ?? (async (url, bytes) => memory.receive(url, bytes));
  const jobs = new RecordedJobs();
  const events = new RecordedEvents();
  const urls = new StoredUrls('https://files.example.com');
  const shared = {
    ...store,
    storage,
    events,
    jobs,
    clock,
    urls,
    groupSize: options.groupSize,
    graceDays: options.graceDays,
  };
  const deletion = new FileDeletion(shared);
  const uploads = new Uploads({
    ...shared,
    records: store.uploads,
    fileTypes: plainFileTypes,
    pictures: plainBarePictures,
    rules: someRules(options.rules),
  });
  const home = await store.newWorkspace();
  const personaId = await store.newPersona(home);
  const actor = anActor(home);

  return {
    clock,
    store,
    storage: places,
    jobs,
    urls,
    actor,
    personaId,
    files: new Files(store.files, store.uploads, storage, urls, clock, store.space),
    deletion,

    /** Carries out the deletion of a persona. */
    purgePersona: (id: number) => store.carryOut(id, { files: deletion, jobs, clock }),

    async allocate(request: UploadRequest, by: Actor = actor): Promise<Ticket> {
      const ticket = await uploads.allocate(by, request);
      return { ...ticket, finalUrl: urls.plainUrlOf(ticket.key) };
    },

    allocateAll(requests: readonly UploadRequest[]): Promise<readonly UploadTicket[]> {
      return uploads.allocateAll(actor, requests);
    },

    async finalize(url: string, by: Actor = actor): Promise<Saved> {
      const file = await uploads.finalize(by, url);
      return { file, url: urls.plainUrlOf(file.key) };
    },

    /** Stores a PNG of the service's own, as a copy that belongs to no persona. */
    keep(differences: Partial<FileToStore> = {}): Promise<StoredFile> {
      return this.files.store({
        workspaceId: actor.workspaceId,
        personaId: null,
        origin: 'import',
        filename: 'photo.png',
        contentType: 'image/png',
        bytes: Buffer.from('image/png'),
        ...differences,
      } as FileToStore);
    },

    /** Sends the bytes of a ticket. */
    async put({ key }: Pick<UploadTicket, 'key'>, content: string): Promise<void> {
      const token = key.split('/').at(-2)!;
      await storage.put(stagingKey(token), { bytes: Buffer.from(content) }, { contentType: 'any/thing' });
    },

    /** Allocated, and sent in parts. */
    async sendParts(filename: string, contents: readonly string[]): Promise<Ticket> {
      const ticket = await this.allocate({ filename, parts: contents.length });
      for (const [index, content] of contents.entries()) {
        await sendBytes(ticket.partUrls![index]!, Buffer.from(content));
      }
      return ticket;
    },

    /** Allocated and sent. */
    async send(filename: string, content: string): Promise<Ticket> {
      const ticket = await this.allocate({ filename });
      await this.put(ticket, content);
      return ticket;
    },

    /** Allocated, sent and finalized. */
    async save(filename: string, content: string): Promise<Saved> {
      return this.finalize((await this.send(filename, content)).finalUrl);
    },
  };
}

export type UploadRoom = Awaited<ReturnType<typeof uploadRoom>>;

/** The key of every stored object. */
export async function storedKeys(storage: ObjectStorage): Promise<string[]> {
  const keys: string[] = [];
  for (const prefix of ['files/', 'frozen/', 'kept/', 'private/', 'staging/']) {
    for await (const group of storage.list(prefix)) keys.push(...group.map((object) => object.key));
  }
  return keys.sort();
}

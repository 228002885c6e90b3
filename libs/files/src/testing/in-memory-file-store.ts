import { DomainError, pageOf, type Page, type PageRequest } from '#kernel';
import { directUnitOfWork } from '#testing/kernel';
import {
  factsOf,
  tokenOfKey,
  type AllocatedUpload,
  type DiscardedFiles,
  type Files,
  type Finalization,
  type FinalizedUpload,
  type FrozenUpload,
  type NewFile,
  type NewUpload,
  type ReconciliationCursor,
  type StorageRecords,
  type StoredFile,
  type Upload,
  type Uploads,
} from '../index.ts';
import type { FileStore, ReferenceKind } from './file-store.ts';

interface Persona {
  readonly id: number;
  readonly workspaceId: number;
  readonly createdBy: number;
  deleted: boolean;
}

interface FileRecord {
  file: StoredFile;
  reviewAt: Date | null;
}

const HOUR_MS = 3_600_000;

/** The ports of files on maps that they share. Nobody holds anything: there are no transactions. */
export class InMemoryFileStore implements FileStore {
  readonly unitOfWork = directUnitOfWork;
  readonly #personas = new Map<number, Persona>();
  readonly #records = new Map<number, FileRecord>();
  readonly #uploads = new Map<number, Upload>();
  /** Keys that no file has, with when they are due. */
  readonly #objects = new Map<string, Date>();
  #references: { readonly kind: ReferenceKind; readonly fileId: number }[] = [];
  #lastId = 0;
  #night = '';
  #cursor: ReconciliationCursor = { object: null, file: null };

  readonly files: Files = {
    reserve: async (key, now) => void this.#objects.set(key, hourAfter(now)),
    add: async (file) => this.#add(file),
    holdByKey: async (workspaceId, key) =>
      this.#all().find((file) => file.workspaceId === workspaceId && file.key === key) ?? null,
    find: async (id) => this.#all().find((file) => file.id === id) ?? null,
    list: async (workspaceId, personaId, page, now) => this.#list(workspaceId, personaId, page, now),
  };

  readonly uploads: Uploads = {
    allocate: async (upload) => this.#allocate(upload),
    find: async (workspaceId, token) => {
      const upload = [...this.#uploads.values()].find((each) => each.token === token);
      return upload?.workspaceId === workspaceId && this.#isAlive(upload.personaId) ? upload : null;
    },
    freeze: async (upload) => {
      if (this.#uploads.get(upload.id)?.state !== 'allocated') return false;
      this.#uploads.set(upload.id, upload);
      return true;
    },
    thaw: async (upload) => {
      if (!this.#isFrozenAs(upload)) return;
      this.#uploads.set(upload.id, { ...factsOf(upload), state: 'allocated' });
    },
    finalize: async (finalization) => this.#finalize(finalization),
    takeDue: async (now, limit) =>
      [...this.#uploads.values()]
        .filter((upload) => upload.cleanUpAt !== null && upload.cleanUpAt <= now)
        .sort((one, other) => one.cleanUpAt!.getTime() - other.cleanUpAt!.getTime() || one.id - other.id)
        .slice(0, limit),
    takeOfPersona: async (personaId, limit) =>
      [...this.#uploads.values()].filter((upload) => upload.personaId === personaId).slice(0, limit),
    settle: async (ids) => {
      for (const id of ids) {
        const upload = this.#uploads.get(id);
        if (upload?.state === 'finalized') this.#uploads.set(id, { ...upload, cleanUpAt: null });
        else this.#uploads.delete(id);
      }
    },
    drop: async (ids) => ids.forEach((id) => this.#uploads.delete(id)),
  };

  readonly discarded: DiscardedFiles = {
    discardExpired: async (now, forgottenAt, limit) => this.#discardExpired(now, forgottenAt, limit),
    discardUnneeded: async (ids, now) => {
      for (const id of ids) this.#discardUnlessNeeded(id, now);
      return [];
    },
    reviewAdded: async (now, limit) => {
      const due = [...this.#records.values()]
        .filter(({ reviewAt }) => reviewAt !== null && reviewAt <= now)
        .slice(0, limit);
      for (const record of due) {
        record.reviewAt = null;
        this.#discardUnlessNeeded(record.file.id, now);
      }
      return due.length;
    },
    partFromPersona: async (personaId, now, limit) => this.#part(personaId, now, limit),
    takeObjects: async (now, limit) => {
      const due = [...this.#objects].filter(([, dueAt]) => dueAt <= now).slice(0, limit);
      for (const [key] of due) this.#objects.delete(key);
      return due.map(([key]) => key);
    },
    removePersona: async (personaId) => this.#removePersona(personaId),
  };

  readonly records: StorageRecords = {
    unaccounted: async (keys) => keys.filter((key) => !this.#isAccountedFor(key)),
    filesAfter: async (after, before, limit) =>
      this.#all()
        .filter((file) => file.id > (after ?? 0) && file.createdAt < before)
        .slice(0, limit)
        .map(({ id, key }) => ({ id, key })),
    stillThere: async (ids) => ids.filter((id) => this.#records.has(id)),
    removeUnreferred: async (ids) =>
      ids.filter((id) => !this.#references.some(({ fileId }) => fileId === id) && this.#records.delete(id)),
    takeNight: async (now) => {
      const night = now.toISOString().slice(0, 10);
      if (night <= this.#night) return null;
      this.#night = night;
      return this.#cursor;
    },
    goOnFrom: async (cursor) => void (this.#cursor = cursor),
  };

  async newWorkspace(): Promise<{ workspaceId: number; userId: number }> {
    return { workspaceId: ++this.#lastId, userId: ++this.#lastId };
  }

  async newPersona(of: { readonly workspaceId: number; readonly userId: number }): Promise<number> {
    const id = ++this.#lastId;
    this.#personas.set(id, { id, workspaceId: of.workspaceId, createdBy: of.userId, deleted: false });
    return id;
  }

  async deletePersona(personaId: number): Promise<void> {
    this.#personas.get(personaId)!.deleted = true;
  }

  async hasPersona(personaId: number): Promise<boolean> {
    return this.#personas.has(personaId);
  }

  async refer(kind: ReferenceKind, fileId: number): Promise<void> {
    this.#references.push({ kind, fileId });
  }

  async unrefer(fileId: number): Promise<void> {
    this.#references = this.#references.filter((reference) => reference.fileId !== fileId);
  }

  #add(file: NewFile): StoredFile {
    if (!this.#objects.delete(file.key)) {
      throw new DomainError('conflict', 'storing the file took too long; try again');
    }
    const personaId = file.personaId !== null && this.#isAlive(file.personaId) ? file.personaId : null;
    return this.#save({ ...file, personaId }, hourAfter(file.createdAt));
  }

  #save(file: NewFile, reviewAt: Date | null): StoredFile {
    const saved = { id: ++this.#lastId, ...file };
    this.#records.set(saved.id, { file: saved, reviewAt });
    return saved;
  }

  #list(workspaceId: number, personaId: number, page: PageRequest, now: Date): Page<StoredFile> | null {
    if (!this.#isAlive(personaId) || this.#personas.get(personaId)!.workspaceId !== workspaceId) return null;
    const files = this.#all()
      .filter((file) => file.personaId === personaId && (file.expiresAt === null || file.expiresAt > now))
      .filter((file) => page.after === null || file.id < page.after)
      .reverse();
    return pageOf(files, page.limit, (file) => file.id);
  }

  #allocate(upload: NewUpload): AllocatedUpload | null {
    const persona = [...this.#personas.values()]
      .filter((each) => each.workspaceId === upload.workspaceId && !each.deleted)
      .find((each) =>
        upload.personaId === null ? each.createdBy === upload.userId : each.id === upload.personaId,
      );
    if (!persona) return null;
    const allocated: AllocatedUpload = {
      ...upload,
      id: ++this.#lastId,
      personaId: persona.id,
      state: 'allocated',
    };
    this.#uploads.set(allocated.id, allocated);
    return allocated;
  }

  #finalize({ upload, file, cleanUpAt }: Finalization): FinalizedUpload | null {
    if (!this.#isFrozenAs(upload) || !this.#isAlive(upload.personaId)) return null;
    const finalized: FinalizedUpload = {
      ...factsOf(upload),
      state: 'finalized',
      file: this.#save(file, null),
      cleanUpAt,
    };
    this.#uploads.set(upload.id, finalized);
    return finalized;
  }

  #isFrozenAs(upload: FrozenUpload): boolean {
    const current = this.#uploads.get(upload.id);
    return current?.state === 'frozen' && current.frozenKey === upload.frozenKey;
  }

  #discardExpired(now: Date, forgottenAt: Date, limit: number): number {
    const due = this.#all()
      .filter((file) => file.expiresAt !== null && file.expiresAt <= now && !this.#isReferredTo(file.id))
      .sort((one, other) => one.expiresAt!.getTime() - other.expiresAt!.getTime())
      .slice(0, limit);
    for (const file of due) {
      this.#discard(file, now);
      for (const upload of this.#uploads.values()) {
        if (upload.state !== 'finalized' || upload.file.id !== file.id) continue;
        this.#uploads.set(upload.id, { ...factsOf(upload), state: 'expired', cleanUpAt: forgottenAt });
      }
    }
    return due.length;
  }

  #discard(file: StoredFile, now: Date): void {
    this.#records.delete(file.id);
    this.#objects.set(file.key, now);
  }

  #discardUnlessNeeded(id: number, now: Date): void {
    const file = this.#records.get(id)?.file;
    if (file && !this.#isNeeded(file)) this.#discard(file, now);
  }

  #isNeeded({ id, origin, personaId }: StoredFile): boolean {
    if (this.#isReferredTo(id)) return true;
    const persona = personaId === null ? null : this.#personas.get(personaId)!;
    if (origin === 'upload') return persona?.deleted === false;
    const isOutput = this.#references.some((each) => each.fileId === id && each.kind === 'output');
    return origin === 'output' && isOutput && persona?.deleted !== true;
  }

  #isReferredTo(id: number): boolean {
    return this.#references.some((each) => each.fileId === id && each.kind !== 'output');
  }

  #part(personaId: number, now: Date, limit: number): number {
    if (!this.#personas.get(personaId)?.deleted) return 0;
    const files = this.#all()
      .filter((file) => file.personaId === personaId)
      .slice(0, limit);
    for (const file of files) {
      if (!this.#isReferredTo(file.id)) this.#discard(file, now);
      else this.#records.get(file.id)!.file = { ...file, personaId: null };
    }
    return files.length;
  }

  #removePersona(personaId: number): boolean {
    if (!this.#personas.get(personaId)?.deleted) return true;
    const owns = (thing: { readonly personaId: number | null }): boolean => thing.personaId === personaId;
    if (this.#all().some(owns)) return false;
    if ([...this.#uploads.values()].some(owns)) return false;
    return this.#personas.delete(personaId);
  }

  #isAccountedFor(key: string): boolean {
    if (this.#objects.has(key) || this.#all().some((file) => file.key === key)) return true;
    const upload = [...this.#uploads.values()].find((each) => each.token === tokenOfKey(key));
    if (!upload) return false;
    if (upload.state === 'allocated' || upload.state === 'frozen') return true;
    return upload.cleanUpAt !== null && key.startsWith('staging/');
  }

  #isAlive(personaId: number): boolean {
    return this.#personas.get(personaId)?.deleted === false;
  }

  #all(): StoredFile[] {
    return [...this.#records.values()].map(({ file }) => file);
  }
}

function hourAfter(time: Date): Date {
  return new Date(time.getTime() + HOUR_MS);
}

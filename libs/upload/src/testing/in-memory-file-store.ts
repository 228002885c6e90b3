import { DomainError, pageOf, type Page, type PageRequest } from '#kernel';
import { directUnitOfWork } from '#testing/kernel';
import {
  factsOf,
  type AllocatedUpload,
  type DiscardedFiles,
  type DoomedFile,
  type Files,
  type Finalization,
  type FinalizedUpload,
  type FrozenUpload,
  type NewFile,
  type NewUpload,
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
  doomedAt: Date | null;
}

const REVIEW_MS = 3_600_000;

/** The ports of files on maps that they share. Nobody holds anything: there are no transactions. */
export class InMemoryFileStore implements FileStore {
  readonly unitOfWork = directUnitOfWork;
  readonly #personas = new Map<number, Persona>();
  readonly #records = new Map<number, FileRecord>();
  readonly #uploads = new Map<number, Upload>();
  readonly #reservations = new Map<string, Date>();
  #references: { readonly kind: ReferenceKind; readonly fileId: number }[] = [];
  #lastId = 0;

  readonly files: Files = {
    reserve: async (key, now) => void this.#reservations.set(key, now),
    add: async (file) => this.#add(file),
    holdByKey: async (workspaceId, key) =>
      this.#there().find((file) => file.workspaceId === workspaceId && file.key === key) ?? null,
    find: async (id) => this.#there().find((file) => file.id === id) ?? null,
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
    doomExpired: async (now, forgottenAt, limit) => this.#doomExpired(now, forgottenAt, limit),
    doomUnneeded: async (ids, now) => {
      for (const id of ids) this.#doomUnlessNeeded(id, now);
      return [];
    },
    reviewAdded: async (now, limit) => {
      const due = this.#undoomed()
        .filter(({ reviewAt }) => reviewAt !== null && reviewAt <= now)
        .slice(0, limit);
      for (const record of due) {
        record.reviewAt = null;
        this.#doomUnlessNeeded(record.file.id, now);
      }
      return due.length;
    },
    partFromPersona: async (personaId, now, limit) => this.#part(personaId, now, limit),
    takeDoomed: async (limit): Promise<readonly DoomedFile[]> =>
      [...this.#records.values()]
        .filter(({ doomedAt }) => doomedAt !== null)
        .slice(0, limit)
        .map(({ file: { id, key } }) => ({ id, key })),
    remove: async (ids) => {
      for (const id of ids) if (this.#records.get(id)?.doomedAt) this.#records.delete(id);
    },
    takeAbandoned: async (before, limit) => {
      const keys = [...this.#reservations].filter(([, reservedAt]) => reservedAt < before).slice(0, limit);
      for (const [key] of keys) this.#reservations.delete(key);
      return keys.map(([key]) => key);
    },
    removePersona: async (personaId) => this.#removePersona(personaId),
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
    if (!this.#reservations.delete(file.key)) {
      throw new DomainError('conflict', 'storing the file took too long; try again');
    }
    const personaId = file.personaId !== null && this.#isAlive(file.personaId) ? file.personaId : null;
    return this.#save({ ...file, personaId }, new Date(file.createdAt.getTime() + REVIEW_MS));
  }

  #save(file: NewFile, reviewAt: Date | null): StoredFile {
    const saved = { id: ++this.#lastId, ...file };
    this.#records.set(saved.id, { file: saved, reviewAt, doomedAt: null });
    return saved;
  }

  #list(workspaceId: number, personaId: number, page: PageRequest, now: Date): Page<StoredFile> | null {
    if (!this.#isAlive(personaId) || this.#personas.get(personaId)!.workspaceId !== workspaceId) return null;
    const files = this.#there()
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

  #doomExpired(now: Date, forgottenAt: Date, limit: number): number {
    const due = this.#undoomed()
      .filter(({ file }) => file.expiresAt !== null && file.expiresAt <= now)
      .slice(0, limit);
    for (const record of due) {
      record.doomedAt = now;
      for (const upload of this.#uploads.values()) {
        if (upload.state !== 'finalized' || upload.file.id !== record.file.id) continue;
        this.#uploads.set(upload.id, { ...factsOf(upload), state: 'expired', cleanUpAt: forgottenAt });
      }
    }
    return due.length;
  }

  #doomUnlessNeeded(id: number, now: Date): void {
    const record = this.#records.get(id);
    if (record && !record.doomedAt && !this.#isNeeded(record.file)) record.doomedAt = now;
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
    const records = this.#undoomed()
      .filter(({ file }) => file.personaId === personaId)
      .slice(0, limit);
    for (const record of records) {
      if (this.#isReferredTo(record.file.id)) record.file = { ...record.file, personaId: null };
      else record.doomedAt = now;
    }
    return records.length;
  }

  #removePersona(personaId: number): boolean {
    if (!this.#personas.get(personaId)?.deleted) return true;
    const owns = (thing: { readonly personaId: number | null }): boolean => thing.personaId === personaId;
    if ([...this.#records.values()].some(({ file }) => owns(file))) return false;
    if ([...this.#uploads.values()].some(owns)) return false;
    return this.#personas.delete(personaId);
  }

  #isAlive(personaId: number): boolean {
    return this.#personas.get(personaId)?.deleted === false;
  }

  #undoomed(): FileRecord[] {
    return [...this.#records.values()].filter(({ doomedAt }) => doomedAt === null);
  }

  #there(): StoredFile[] {
    return this.#undoomed().map(({ file }) => file);
  }
}

import type { Actor } from '#identity';
import { notFound, type Clock, type Page, type PageRequest } from '#kernel';
import type { StoredFile } from '../domain/stored-file.ts';
import type { Files } from '../ports/files.ts';
import type { ObjectStorage } from '../ports/object-storage.ts';

export interface PersonaFile {
  readonly file: StoredFile;
  readonly url: string;
}

/** Shows the files that live with a persona. */
export class ListPersonaFiles {
  readonly #files: Files;
  readonly #storage: ObjectStorage;
  readonly #clock: Clock;

  constructor(files: Files, storage: ObjectStorage, clock: Clock) {
    this.#files = files;
    this.#storage = storage;
    this.#clock = clock;
  }

  /** @throws DomainError `not_found` */
  async run(actor: Actor, personaId: number, request: PageRequest): Promise<Page<PersonaFile>> {
    const page = await this.#files.list(actor.workspaceId, personaId, request, this.#clock.now());
    if (!page) throw notFound('persona');
    const items = page.items.map((file) => ({ file, url: this.#storage.publicUrl(file.key) }));
    return { items, next: page.next };
  }
}

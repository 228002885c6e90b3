import type { Page, PageRequest } from '#kernel';
import type { Personas, PersonaSummary } from '../ports/personas.ts';

export class ListPersonas {
  readonly #personas: Personas;

  constructor(personas: Personas) {
    this.#personas = personas;
  }

  /** The personas of a workspace, newest first. */
  run(workspaceId: number, page: PageRequest): Promise<Page<PersonaSummary>> {
    return this.#personas.list(workspaceId, page);
  }
}

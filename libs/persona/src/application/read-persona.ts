import { notFound } from '#kernel';
import type { Personas } from '../ports/personas.ts';
import { personaView, type PersonaView } from './persona-view.ts';
import type { PublicUrls } from './training-view.ts';

export class ReadPersona {
  readonly #personas: Personas;
  readonly #urls: PublicUrls;

  constructor(personas: Personas, urls: PublicUrls) {
    this.#personas = personas;
    this.#urls = urls;
  }

  /** @throws DomainError `not_found` */
  async run(workspaceId: number, personaId: number): Promise<PersonaView> {
    const persona = await this.#personas.read(workspaceId, personaId);
    if (!persona) throw notFound('persona');
    return personaView(persona, this.#urls);
  }
}

import { notFound, type Clock } from '#kernel';
import { checkedProfile, type PersonaProfile } from '../domain/persona.ts';
import type { Personas } from '../ports/personas.ts';
import { personaView, type PersonaView } from './persona-view.ts';
import type { PublicUrls } from './training-view.ts';

/** Changes what is said of a persona. */
export class UpdatePersona {
  readonly #personas: Personas;
  readonly #urls: PublicUrls;
  readonly #clock: Clock;

  constructor(personas: Personas, urls: PublicUrls, clock: Clock) {
    this.#personas = personas;
    this.#urls = urls;
    this.#clock = clock;
  }

  /**
   * @param changes what is absent stays as it is
   * @throws DomainError `validation_failed`, `not_found`
   */
  async run(workspaceId: number, personaId: number, changes: Partial<PersonaProfile>): Promise<PersonaView> {
    const checked = checkedProfile(changes);
    const persona = await this.#personas.update(workspaceId, personaId, checked, this.#clock.now());
    if (!persona) throw notFound('persona');
    return personaView(persona, this.#urls);
  }
}

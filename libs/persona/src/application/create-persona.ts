import type { Clock } from '#kernel';
import { checkedProfile, UNNAMED_PERSONA, type PersonaProfile } from '../domain/persona.ts';
import type { Personas } from '../ports/personas.ts';
import { personaView, type PersonaView } from './persona-view.ts';
import type { PublicUrls } from './training-view.ts';

/** Makes a persona, with all its slots empty. */
export class CreatePersona {
  readonly #personas: Personas;
  readonly #urls: PublicUrls;
  readonly #clock: Clock;

  constructor(personas: Personas, urls: PublicUrls, clock: Clock) {
    this.#personas = personas;
    this.#urls = urls;
    this.#clock = clock;
  }

  /** @throws DomainError `validation_failed` */
  async run(
    by: { readonly workspaceId: number; readonly userId: number },
    profile: Partial<PersonaProfile>,
  ): Promise<PersonaView> {
    const persona = await this.#personas.add({
      name: UNNAMED_PERSONA,
      title: null,
      knows: null,
      profession: null,
      ...checkedProfile(profile),
      workspaceId: by.workspaceId,
      createdBy: by.userId,
      createdAt: this.#clock.now(),
    });
    const empty = { slotsFilled: 0, likesCount: 0, trainingsCount: 0, filledSlots: [] };
    return personaView({ ...persona, ...empty }, this.#urls);
  }
}

import type { InputSource, SlotPictures } from '../domain/resolve-inputs.ts';
import type { PersonaSlots } from '../ports/persona-slots.ts';

interface Entry {
  readonly workspaceId: number;
  readonly createdBy: number;
  slots: SlotPictures;
}

export class InMemoryPersonaSlots implements PersonaSlots {
  readonly #personas = new Map<number, Entry>();

  add(personaId: number, workspaceId: number, createdBy: number): void {
    this.#personas.set(personaId, { workspaceId, createdBy, slots: { master: null, main: null } });
  }

  fill(personaId: number, slots: { readonly master?: InputSource; readonly main?: InputSource }): void {
    const persona = this.#personas.get(personaId)!;
    persona.slots = { ...persona.slots, ...slots };
  }

  delete(personaId: number): void {
    this.#personas.delete(personaId);
  }

  async of(workspaceId: number, personaId: number): Promise<SlotPictures | null> {
    return this.#in(workspaceId).get(personaId)?.slots ?? null;
  }

  async firstOf(workspaceId: number, userId: number): Promise<number | null> {
    const made = [...this.#in(workspaceId)].filter(([, { createdBy }]) => createdBy === userId);
    return made.map(([id]) => id).sort((a, b) => a - b)[0] ?? null;
  }

  #in(workspaceId: number): Map<number, Entry> {
    return new Map([...this.#personas].filter(([, persona]) => persona.workspaceId === workspaceId));
  }
}

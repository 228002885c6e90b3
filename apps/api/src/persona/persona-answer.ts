import type { PersonaView as Persona } from '#persona';
import { ObjectField } from '../http/index.ts';
import { PersonaView, personaView } from './persona-view.ts';

export class PersonaAnswer {
  @ObjectField(() => PersonaView, { description: 'The persona, with its slots.' })
  persona!: PersonaView;
}

export function personaAnswer(persona: Persona): PersonaAnswer {
  return { persona: personaView(persona) };
}

import type { FileUrls } from '#files';
import type { GenerationViews } from '#generation';
import { notFound } from '#kernel';
import type { PersonaViews } from '#persona';
import { personaResponse, type PersonaResponse } from './persona.dto.ts';

/** How many generations a persona shows. */
const NEWEST_GENERATIONS = 20;

/** @throws DomainError `not_found` */
export async function readPersona(
  by: { readonly personas: PersonaViews; readonly generations: GenerationViews; readonly urls: FileUrls },
  workspaceId: number,
  personaId: number,
): Promise<PersonaResponse> {
  const persona = await by.personas.persona(workspaceId, personaId);
  if (!persona) throw notFound('persona');
  const generations = await by.generations.listForPersona(workspaceId, personaId, NEWEST_GENERATIONS);
  return personaResponse(persona, generations, by.urls);
}

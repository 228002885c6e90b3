import { Controller, Delete, Get, Inject, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#identity';
import type { PageRequest } from '#kernel';
import { CreatePersona, DeletePersona, ListPersonas, ReadPersona, UpdatePersona } from '#persona';
import { Responds, CurrentActor, cursorOf, Existing, RequestBody, PageQuery, PathId } from '../http/index.ts';
import { CreatePersonaForm } from './create-persona-form.ts';
import { PersonaAnswer, personaAnswer } from './persona-answer.ts';
import { personaSummaryView } from './persona-view.ts';
import { PersonasAnswer } from './personas-answer.ts';
import { UpdatePersonaForm } from './update-persona-form.ts';

@ApiTags('Personas')
@Controller('v2/personas')
export class PersonasController {
  constructor(
    @Inject(ListPersonas) private readonly listPersonas: ListPersonas,
    @Inject(CreatePersona) private readonly createPersona: CreatePersona,
    @Inject(ReadPersona) private readonly readPersona: ReadPersona,
    @Inject(UpdatePersona) private readonly updatePersona: UpdatePersona,
    @Inject(DeletePersona) private readonly deletePersona: DeletePersona,
  ) {}

  @Get()
  @Responds(200, PersonasAnswer, {
    summary: 'List the personas of the workspace',
    errors: ['validation_failed'],
  })
  async getPersonas(@CurrentActor() actor: Actor, @PageQuery() page: PageRequest): Promise<PersonasAnswer> {
    const { items, next } = await this.listPersonas.run(actor.workspaceId, page);
    return { personas: items.map(personaSummaryView), next_cursor: cursorOf(next) };
  }

  @Post()
  @Responds(201, PersonaAnswer, { summary: 'Make a persona', errors: ['validation_failed'] })
  async postPersona(
    @CurrentActor() actor: Actor,
    @RequestBody() form: CreatePersonaForm,
  ): Promise<PersonaAnswer> {
    return personaAnswer(await this.createPersona.run(actor, form));
  }

  @Get(':persona_id')
  @Responds(200, PersonaAnswer, {
    summary: 'Read a persona with its slots',
    errors: ['validation_failed', 'not_found'],
  })
  async getPersona(
    @CurrentActor() actor: Actor,
    @PathId('persona_id') personaId: number,
  ): Promise<PersonaAnswer> {
    return personaAnswer(await this.readPersona.run(actor.workspaceId, personaId));
  }

  @Put(':persona_id')
  @Existing('persona', 'persona_id')
  @Responds(200, PersonaAnswer, {
    summary: 'Change a persona',
    description: 'What is absent stays as it is.',
    errors: ['validation_failed', 'not_found'],
  })
  async putPersona(
    @CurrentActor() actor: Actor,
    @PathId('persona_id') personaId: number,
    @RequestBody() form: UpdatePersonaForm,
  ): Promise<PersonaAnswer> {
    return personaAnswer(await this.updatePersona.run(actor.workspaceId, personaId, form));
  }

  @Delete(':persona_id')
  @Responds(200, null, {
    summary: 'Delete a persona',
    description:
      'With its trainings, at once, and soon after with every permanent file of it. For who made it, admins and the owner.',
    errors: ['validation_failed', 'forbidden', 'not_found'],
  })
  async deletePersonaWithAll(
    @CurrentActor() actor: Actor,
    @PathId('persona_id') personaId: number,
  ): Promise<void> {
    await this.deletePersona.run(actor, personaId);
  }
}

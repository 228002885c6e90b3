import { Controller, Delete, Get, Inject, Module, Put, type OnModuleInit } from '@nestjs/common';
import type { IssuedUrls } from '#files';
import type { GenerationViews, StyleViews } from '#generation';
import { customerFilterFor, type Actor } from '#identity';
import type { PageRequest } from '#kernel';
import { Personas, type PersonaStore, type PersonaViews } from '#persona';
import { GenerationModule, generationViews, PersonaModule, personaStore, personaViews, styleViews } from '#wiring';
import {
  type ApiRequest,
  CurrentActor,
  ExistenceChecks,
  Existing,
  listOf,
  PageQuery,
  PathId,
  pathId,
  Post,
  RequestBody,
  RequestQuery,
  Responds,
  CurrentUrls,
} from '../http/index.ts';
import { PersonaRequest, PersonaResponse, PersonasQuery, PersonasResponse, personaSummaryDto } from './persona.dto.ts';
import { readPersona } from './read-persona.ts';
import { StylesController } from './styles.controller.ts';
import { TrainingsController } from './trainings.controller.ts';

@Controller('v2/personas')
export class PersonasController {
  constructor(
    @Inject(Personas) private readonly personas: Personas,
    @Inject(personaViews) private readonly views: PersonaViews,
    @Inject(generationViews) private readonly generations: GenerationViews,
  ) {}

  @Get()
  @Responds(200, PersonasResponse, {
    id: 'personas.list',
    summary: 'List the personas of the workspace',
    description:
      'Lists the personas of the workspace. Returns each with the number of its filled slots, likes and ' +
      'trainings.',
    errors: ['forbidden'],
  })
  async list(
    @CurrentActor() actor: Actor,
    @RequestQuery() { q, customer }: PersonasQuery,
    @PageQuery({ whole: true }) page: PageRequest,
  ) {
    const only = { search: q, customer: customerFilterFor(actor, customer) };
    return listOf('personas', await this.views.personas(actor.workspaceId, page, only), personaSummaryDto);
  }

  @Post()
  @Responds(201, PersonaResponse, {
    id: 'personas.create',
    summary: 'Create a persona',
    description: 'Creates a persona with empty slots. Returns the persona.',
  })
  async create(@CurrentActor() actor: Actor, @CurrentUrls() urls: IssuedUrls, @RequestBody() body: PersonaRequest) {
    const { id } = await this.personas.create(actor, body);
    return this.read(actor, urls, id);
  }

  @Get(':persona_id')
  @Responds(200, PersonaResponse, {
    id: 'personas.get',
    summary: 'Read a persona with its slots, trainings and newest generations',
    description:
      'Reads one persona. Returns the persona with its seven slots, all its trainings, and its newest 20 ' +
      'generations.',
  })
  async read(@CurrentActor() actor: Actor, @CurrentUrls() urls: IssuedUrls, @PathId('persona_id') personaId: number) {
    const { views, generations } = this;
    return readPersona({ personas: views, generations, urls }, actor.workspaceId, personaId);
  }

  @Put(':persona_id')
  @Existing('persona', 'persona_id')
  @Responds(200, PersonaResponse, {
    id: 'personas.update',
    summary: 'Change a persona',
    description: 'Changes the given fields of a persona. Returns the persona. Absent fields keep their values.',
  })
  async update(
    @CurrentActor() actor: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('persona_id') personaId: number,
    @RequestBody() body: PersonaRequest,
  ) {
    await this.personas.update(actor, personaId, body);
    return this.read(actor, urls, personaId);
  }

  @Delete(':persona_id')
  @Responds(200, null, {
    id: 'personas.delete',
    summary: 'Delete a persona',
    description:
      'Deletes a persona, its trainings and its files. Returns only `status`. Only for its creator, admins and ' +
      'the owner. Admins and the owner can restore it from the trash.',
  })
  delete(@CurrentActor() actor: Actor, @PathId('persona_id') personaId: number) {
    return this.personas.delete(actor, personaId);
  }
}

@Module({
  imports: [GenerationModule, PersonaModule],
  controllers: [PersonasController, StylesController, TrainingsController],
})
export class PersonaApiModule implements OnModuleInit {
  constructor(
    @Inject(ExistenceChecks) private readonly checks: ExistenceChecks,
    @Inject(personaStore) private readonly personas: PersonaStore,
    @Inject(personaViews) private readonly views: PersonaViews,
    @Inject(styleViews) private readonly styles: StyleViews,
  ) {}

  onModuleInit(): void {
    this.checks.register('persona', async ({ workspaceId }, id) => !!(await this.personas.find(workspaceId, id)));
    const personaOf = (request: ApiRequest) => pathId(request, 'persona_id')!;
    this.checks.register('training', ({ workspaceId }, id, request) =>
      this.views.hasTraining(workspaceId, personaOf(request), id),
    );
    this.checks.register(
      'style',
      async ({ workspaceId }, styleId, request) =>
        (await this.styles.get({ workspaceId, personaId: personaOf(request), styleId })) !== null,
    );
  }
}

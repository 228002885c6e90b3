import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { PersonaStore, PersonaViews } from '#persona';
import { PersonaModule, personaStore, personaViews } from '#wiring';
import { ExistenceChecks } from '../http/index.ts';
import { PersonasController } from './personas.controller.ts';
import { TrainingsController } from './trainings.controller.ts';

@Module({ imports: [PersonaModule], controllers: [PersonasController, TrainingsController] })
export class PersonaApiModule implements OnModuleInit {
  constructor(
    @Inject(ExistenceChecks) private readonly checks: ExistenceChecks,
    @Inject(personaStore) private readonly personas: PersonaStore,
    @Inject(personaViews) private readonly views: PersonaViews,
  ) {}

  onModuleInit(): void {
    this.checks.register('persona', async ({ workspaceId }, id) => !!(await this.personas.find(workspaceId, id)));
    this.checks.register('training', ({ workspaceId }, id) => this.views.hasTraining(workspaceId, id));
  }
}

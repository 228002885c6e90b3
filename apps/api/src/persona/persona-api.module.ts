import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { Personas, Trainings } from '#persona';
import { PersonaModule, personas, trainings } from '#wiring';
import { ExistenceChecks } from '../http/index.ts';
import { PersonasController } from './personas.controller.ts';
import { TrainingsController } from './trainings.controller.ts';

@Module({ imports: [PersonaModule], controllers: [PersonasController, TrainingsController] })
export class PersonaApiModule implements OnModuleInit {
  constructor(
    @Inject(ExistenceChecks) private readonly checks: ExistenceChecks,
    @Inject(personas) private readonly knownPersonas: Personas,
    @Inject(trainings) private readonly knownTrainings: Trainings,
  ) {}

  onModuleInit(): void {
    this.checks.register(
      'persona',
      async ({ workspaceId }, id) => (await this.knownPersonas.find(workspaceId, id)) !== null,
    );
    this.checks.register('training', ({ workspaceId }, id) => this.knownTrainings.exists(workspaceId, id));
  }
}

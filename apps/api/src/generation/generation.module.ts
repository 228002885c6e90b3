import { Module } from '@nestjs/common';
import { GenerationModule, StorageModule } from '#wiring';
import { GenerateController } from './generate.controller.ts';
import { GenerationsController } from './generations.controller.ts';

@Module({ imports: [GenerationModule, StorageModule], controllers: [GenerateController, GenerationsController] })
export class GenerationApiModule {}

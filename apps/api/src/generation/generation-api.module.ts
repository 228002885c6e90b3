import { Module } from '@nestjs/common';
import { GenerationModule } from '#wiring';
import { GenerateController } from './generate.controller.ts';
import { GenerationsController } from './generations.controller.ts';

@Module({ imports: [GenerationModule], controllers: [GenerateController, GenerationsController] })
export class GenerationApiModule {}

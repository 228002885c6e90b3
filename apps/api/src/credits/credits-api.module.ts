import { Module } from '@nestjs/common';
import { CreditsModule } from '#wiring';
import { CreditsController } from './credits.controller.ts';

@Module({ imports: [CreditsModule], controllers: [CreditsController] })
export class CreditsApiModule {}

import { Module } from '@nestjs/common';
import { IdentityModule } from '#wiring';
import { AuthController } from './auth.controller.ts';
import { TokensController } from './tokens.controller.ts';

@Module({ imports: [IdentityModule], controllers: [AuthController, TokensController] })
export class IdentityApiModule {}

import { Module, type DynamicModule } from '@nestjs/common';
import type { Settings } from '#config';
import { PlatformModule } from '#wiring';
import { CreditsApiModule } from './credits/credits-api.module.ts';
import { IdentityApiModule } from './identity/identity-api.module.ts';

/** Everything that the API is made of. */
@Module({})
export class ApiModule {
  static forRoot(settings: Settings): DynamicModule {
    return {
      module: ApiModule,
      imports: [PlatformModule.forRoot(settings, 'api'), IdentityApiModule, CreditsApiModule],
    };
  }
}

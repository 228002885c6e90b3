import { Module, type DynamicModule } from '@nestjs/common';
import type { Settings } from '#config';
import { CreditsModule, IdentityModule, PlatformModule, StorageModule } from '#wiring';

/** What the commands work with. */
@Module({})
export class CliModule {
  static forRoot(settings: Settings): DynamicModule {
    return {
      module: CliModule,
      imports: [PlatformModule.forRoot(settings, 'api'), IdentityModule, CreditsModule, StorageModule],
    };
  }
}

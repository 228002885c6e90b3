import { Module, type DynamicModule } from '@nestjs/common';
import type { Settings } from '#config';
import {
  AuditModule,
  BoardModule,
  CreditsModule,
  IdentityModule,
  MailModule,
  PlatformModule,
  FilesModule,
} from '#wiring';

/** The modules that the commands use. */
@Module({})
export class CliModule {
  static forRoot(settings: Settings): DynamicModule {
    return {
      module: CliModule,
      imports: [
        PlatformModule.forRoot(settings, 'api'),
        AuditModule,
        BoardModule,
        CreditsModule,
        IdentityModule,
        MailModule,
        FilesModule,
      ],
    };
  }
}

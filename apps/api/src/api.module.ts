import { Module, type DynamicModule, type Type } from '@nestjs/common';
import type { Settings } from '#config';
import { PlatformModule } from '#wiring';
import { AdminModule } from './admin/admin.module.ts';
import { AuditLogApiModule } from './audit-log/audit-log.controller.ts';
import { BatchApiModule } from './batch/batches.controller.ts';
import { BoardApiModule } from './board/boards.controller.ts';
import { ConsoleModule } from './console/console.module.ts';
import { CreditsApiModule } from './credits/credits.controller.ts';
import { EventsApiModule } from './events/events.module.ts';
import { GenerationApiModule } from './generation/generations.controller.ts';
import { DependenciesModule, HealthModule } from './health/health.module.ts';
import { HttpModule } from './http/index.ts';
import { IdentityApiModule } from './identity/identity.controllers.ts';
import { DownloadApiModule } from './download/download.controller.ts';
import { InboxApiModule } from './inbox/inbox.controller.ts';
import { LibraryApiModule } from './library/library.controller.ts';
import { McpApiModule } from './mcp/mcp.controller.ts';
import { MetricsModule } from './metrics/metrics.module.ts';
import { ProvenanceApiModule } from './provenance/provenance.controller.ts';
import { OAuthApiModule } from './oauth/oauth.controller.ts';
import { OpenAiApiModule } from './openai/images.controller.ts';
import { PersonaApiModule } from './persona/personas.controller.ts';
import { ReviewApiModule } from './review/comments.controller.ts';
import { SharingApiModule } from './sharing/shares.controller.ts';
import { BucketFilesApiModule, DiskStorageApiModule } from './storage/stored-files.ts';
import { TeamApiModule } from './team/team.controllers.ts';
import { TrashApiModule } from './trash/trash.controller.ts';
import { WebhooksApiModule } from './webhooks/webhooks.controller.ts';
import { FilesApiModule } from './files/uploads.controller.ts';

/** All modules of the API. */
@Module({})
export class ApiModule {
  static forRoot(settings: Settings): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        PlatformModule.forRoot(settings, 'api'),
        HttpModule,
        HealthModule,
        DependenciesModule,
        MetricsModule,
        AdminModule,
        ConsoleModule,
        IdentityApiModule,
        CreditsApiModule,
        ...storageModules(settings),
        FilesApiModule,
        GenerationApiModule,
        BatchApiModule,
        PersonaApiModule,
        BoardApiModule,
        ReviewApiModule,
        SharingApiModule,
        TeamApiModule,
        DownloadApiModule,
        LibraryApiModule,
        ProvenanceApiModule,
        InboxApiModule,
        McpApiModule,
        OAuthApiModule,
        OpenAiApiModule,
        TrashApiModule,
        WebhooksApiModule,
        EventsApiModule,
        AuditLogApiModule,
      ],
    };
  }
}

function storageModules({ storage }: Settings): Type<object>[] {
  return [storage.bucket === null ? DiskStorageApiModule : BucketFilesApiModule];
}

import { Database, PostgresErasedWorkspaces, PostgresErasures, PostgresTeams } from '#adapters/postgres';
import { ErasureRuns, Erasures } from '#erasure';
import { Exports } from '#export';
import { FileDeletion } from '#files';
import { Generations } from '#generation';
import { Reauthentication } from '#identity';
import { Deletions } from '#trash';
import { accountStore, IdentityModule } from './identity.module.ts';
import { ExportModule } from './export.module.ts';
import { auditLog, clock, jobs, settings, unitOfWork } from './platform.ts';
import { provide, provideMade, provideWith, SharedModule, token } from './provide.ts';
import { memberStore, TeamModule } from './team.module.ts';
import { DeletionsModule } from './trash.module.ts';

const hasAdminToken = token<boolean>('HasAdminToken');

/** Requests of the erasure of persons. */
@SharedModule(
  [IdentityModule, ExportModule, TeamModule],
  provide(PostgresErasures, Database),
  provideMade(hasAdminToken, [settings], ({ admin }) => admin.token !== null),
  provideWith(Erasures, {
    accounts: accountStore,
    auditLog,
    erasures: PostgresErasures,
    exports: Exports,
    members: memberStore,
    teams: PostgresTeams,
    reauthentication: Reauthentication,
    jobs,
    unitOfWork,
    clock,
    hasAdminToken,
  }),
)
export class ErasureModule {}

/** Completes erasures. Only the worker imports it. */
@SharedModule(
  [ErasureModule, DeletionsModule],
  provide(PostgresErasedWorkspaces, Database),
  provideWith(ErasureRuns, {
    erasures: PostgresErasures,
    workspaces: PostgresErasedWorkspaces,
    deletions: Deletions,
    files: FileDeletion,
    generations: Generations,
    unitOfWork,
    clock,
  }),
)
export class ErasureRunsModule {}

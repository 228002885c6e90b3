import { Files } from '#files';
import { Confirmations, Profiles, Reauthentication } from '#identity';
import { FilesModule } from './files.module.ts';
import { accountStore, IdentityModule } from './identity.module.ts';
import { auditLog, clock, jobs, unitOfWork } from './platform.ts';
import { provideWith, SharedModule } from './provide.ts';

/** Accounts and what needs files for them: users' pictures. */
@SharedModule(
  [IdentityModule, FilesModule],
  provideWith(Profiles, {
    accounts: accountStore,
    auditLog,
    avatars: Files,
    confirmations: Confirmations,
    reauthentication: Reauthentication,
    jobs,
    unitOfWork,
    clock,
  }),
)
export class AccountModule {}

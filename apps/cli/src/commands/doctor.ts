import { Command } from 'commander';
import { StoredUrls } from '#files';
import { audit, mail, objectStorage, postgres, redis } from '#wiring';
import { findings, type Check } from '../doctor/check.ts';
import { checkClock, checkDatabase, checkMail, checkQueue, checkRedis } from '../doctor/check-services.ts';
import { checkStorage } from '../doctor/check-storage.ts';
import { catalogueChecks } from '../models/check-models.ts';
import { isAnyFound, type Service, type Session } from '../session.ts';

export function doctorCommand(session: Session): Command {
  return new Command('doctor').description('checks the dependencies of the service and gives advice').action(
    session.run(
      (service) => findings(checksOf(service)),
      (found) => found.some(({ state }) => state === 'ill'),
    ),
  );
}

function checksOf({ settings, get }: Service): Check[] {
  const connection = get(postgres);
  const { database } = connection;
  const memory = get(redis);
  return [
    ['settings', async () => `read and checked; clients reach the API at ${settings.http.publicUrl}`],
    ['database', () => checkDatabase(connection)],
    ['clock', () => checkClock(database)],
    ['queue', () => checkQueue(database)],
    ...(memory ? [['redis', () => checkRedis(memory)] as const] : []),
    ['storage', () => checkStorage(get(objectStorage), get(StoredUrls))],
    ['mail', () => checkMail(get(mail), settings)],
    ...catalogueChecks(settings),
  ];
}

export function auditCommand(session: Session): Command {
  return new Command('audit')
    .description('checks the invariants of the database; fails on any violation')
    .action(session.run((service) => service.get(audit).findings(), isAnyFound));
}

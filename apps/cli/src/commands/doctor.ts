import { Command } from 'commander';
import { StoredUrls } from '#files';
import { audit, mail, objectStorage, postgres, redis } from '#wiring';
import { findings, type Check } from '../doctor/check.ts';
import { checkClock, checkDatabase, checkQueue } from '../doctor/check-database.ts';
import { checkMail, checkRedis } from '../doctor/check-services.ts';
import { checkStorage } from '../doctor/check-storage.ts';
import type { Service, Session } from '../session.ts';
import type { Row } from '../table.ts';

export function doctorCommand(session: Session): Command {
  return session.action(
    new Command('doctor').description('checks the dependencies of the service and gives advice'),
    async (service) => (await findings(checksOf(service))).map((finding) => ({ ...finding })),
    (answer) => Array.isArray(answer) && answer.some(({ state }: Row) => state === 'ill'),
  );
}

function checksOf(service: Service): Check[] {
  const connection = service.get(postgres);
  const memory = service.get(redis);
  return [
    {
      name: 'settings',
      run: async () => `read and checked; clients reach the API at ${service.settings.http.publicUrl}`,
    },
    checkDatabase(connection),
    checkClock(connection.database),
    checkQueue(connection.database),
    ...(memory ? [checkRedis(memory)] : []),
    checkStorage(service.get(objectStorage), service.get(StoredUrls)),
    checkMail(service.get(mail), service.settings),
  ];
}

export function auditCommand(session: Session): Command {
  return session.action(
    new Command('audit').description('checks the invariants of the database; fails on any violation'),
    async (service) => (await service.get(audit).findings()).map((finding) => ({ ...finding })),
    (findings) => Array.isArray(findings) && findings.length > 0,
  );
}

import { Command } from 'commander';
import type { Settings } from '#config';
import { audit, examine, OpenConnections, openParts } from '#wiring';
import { databaseUrl, isAnyFound, type Session } from '../session.ts';

export function doctorCommand(session: Session): Command {
  return new Command('doctor')
    .description('checks the dependencies of the service and gives advice')
    .action(session.runWithSettings(examineAll, (found) => found.some(({ state }) => state === 'ill')));
}

async function examineAll(settings: Settings) {
  const opened = new OpenConnections();
  try {
    return await examine(openParts(settings, () => databaseUrl(settings), opened));
  } finally {
    await opened.close();
  }
}

export function auditCommand(session: Session): Command {
  return new Command('audit')
    .description('checks the database for faults; fails when it finds any')
    .action(session.run((service) => service.get(audit).findings(), isAnyFound));
}

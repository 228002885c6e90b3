import { Command } from 'commander';
import { audit, examine } from '#wiring';
import { isAnyFound, type Session } from '../session.ts';

export function doctorCommand(session: Session): Command {
  return new Command('doctor')
    .description('checks the dependencies of the service and gives advice')
    .action(session.run(examine, (found) => found.some(({ state }) => state === 'ill')));
}

export function auditCommand(session: Session): Command {
  return new Command('audit')
    .description('checks the database for faults; fails when it finds any')
    .action(session.run((service) => service.get(audit).findings(), isAnyFound));
}

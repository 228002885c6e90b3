import { Command } from 'commander';
import { describeRelease, RELEASE } from '#process';
import { Session, type Terminal } from './session.ts';
import { backupCommand } from './commands/backup.ts';
import { creditsCommand } from './commands/credits.ts';
import { auditCommand, doctorCommand } from './commands/doctor.ts';
import { mediaCommand } from './commands/media.ts';
import { modelsCommand } from './commands/models.ts';
import { provenanceCommand } from './commands/provenance.ts';
import { secretKeyCommand } from './commands/secret-key.ts';
import { storageCommand } from './commands/storage.ts';
import { tokensCommand } from './commands/tokens.ts';
import { usersCommand } from './commands/users.ts';
import { plansCommand, teamsCommand } from './commands/workspaces.ts';

/** The command line for operators. */
export function buildProgram(terminal: Terminal): Command {
  const program = new Command('npm run cli --')
    .description('Manages the accounts, plans, credits and models of a service, and checks its state.')
    .version(describeRelease(RELEASE), '--version', 'print the version and the commit')
    .showHelpAfterError()
    .configureOutput({ writeOut: terminal.write, writeErr: terminal.complain });
  const session = new Session(terminal);
  for (const command of [
    usersCommand,
    tokensCommand,
    plansCommand,
    teamsCommand,
    creditsCommand,
    mediaCommand,
    modelsCommand,
    doctorCommand,
    auditCommand,
    storageCommand,
    backupCommand,
    secretKeyCommand,
    provenanceCommand,
  ]) {
    const group = command(session);
    program.addCommand(group);
    for (const each of group.commands.length > 0 ? group.commands : [group]) each.option('--json', 'print JSON');
  }
  return program;
}

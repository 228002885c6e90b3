import { Command } from 'commander';
import { audit } from '#wiring';
import type { Session } from '../session.ts';

export function auditCommand(session: Session): Command {
  return session.action(
    new Command('audit').description('checks the invariants of the database; fails on any violation'),
    async (service) => (await service.get(audit).findings()).map((finding) => ({ ...finding })),
    (findings) => Array.isArray(findings) && findings.length > 0,
  );
}

import type { AuditLog } from '#audit-log';
import type { Clock, UnitOfWork } from '#kernel';
import { newWebhookSecret } from './domain/secret.ts';
import type { WebhookSecrets } from './ports.ts';

/** The signing secrets of workspaces. */
export class SigningSecrets {
  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly auditLog: Pick<AuditLog, 'record'>,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Creates the secret when it is first read. */
  async current(workspaceId: number): Promise<string> {
    return (await this.unitOfWork.run(() => this.secrets.get(workspaceId, newWebhookSecret()))).secret;
  }

  /** Replaces the secret; the previous one also signs for 24 hours. */
  async rotate(workspaceId: number): Promise<string> {
    const now = this.clock.now();
    return this.unitOfWork.run(async () => {
      const { secret } = await this.secrets.rotate(workspaceId, newWebhookSecret(), now);
      await this.auditLog.record({ action: 'webhook_secret.rotate', target: workspaceId, details: {}, workspaceId });
      return secret;
    });
  }
}

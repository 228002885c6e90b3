import type { Clock, UnitOfWork } from '#kernel';
import { newWebhookSecret } from './domain/secret.ts';
import type { WebhookSecrets } from './ports.ts';

/** The signing secrets of workspaces. */
export class SigningSecrets {
  constructor(
    private readonly secrets: WebhookSecrets,
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
    return (await this.unitOfWork.run(() => this.secrets.rotate(workspaceId, newWebhookSecret(), now))).secret;
  }
}

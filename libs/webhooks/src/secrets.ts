import type { Clock, UnitOfWork } from '#kernel';
import { newWebhookSecret } from './domain/secret.ts';
import type { WebhookSecrets } from './ports.ts';

/** The secret that a workspace's webhooks are signed with. */
export class SigningSecrets {
  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Makes the secret at its first use. */
  async current(workspaceId: number): Promise<string> {
    return (await this.unitOfWork.run(() => this.secrets.get(workspaceId, newWebhookSecret()))).secret;
  }

  /** Replaces the secret; the one until now signs too for 24 hours. */
  async rotate(workspaceId: number): Promise<string> {
    const now = this.clock.now();
    return (await this.unitOfWork.run(() => this.secrets.rotate(workspaceId, newWebhookSecret(), now))).secret;
  }
}

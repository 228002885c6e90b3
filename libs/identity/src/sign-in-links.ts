import type { Clock } from '#kernel';
import { signInLinkExpiry, type SignInLink } from './domain/sign-in-link.ts';
import { isTokenSecret } from './domain/token.ts';
import type { RedeemedLink, SignInLinkStore, TokenSecrets } from './ports.ts';

export class SignInLinks {
  constructor(
    private readonly links: SignInLinkStore,
    private readonly secrets: TokenSecrets,
    private readonly clock: Clock,
  ) {}

  /** @param request.isLocal whether the link is valid only on the machine of the service */
  async issue(request: { readonly userId: number; readonly isLocal: boolean }): Promise<SignInLink> {
    const createdAt = this.clock.now();
    const expiresAt = signInLinkExpiry(createdAt);
    const secret = this.secrets.create();
    await this.links.add({ ...request, hash: this.secrets.hash(secret), createdAt, expiresAt });
    return { secret, expiresAt };
  }

  /**
   * Redeems a link, which then becomes invalid.
   *
   * @param isLocal whether the request comes from the machine of the service
   * @returns `null` when the link is unknown, used, expired, or restricted to local requests
   */
  async redeem(secret: string, isLocal: boolean): Promise<RedeemedLink | null> {
    if (!isTokenSecret(secret)) return null;
    return this.links.redeem(this.secrets.hash(secret), { isLocal, now: this.clock.now() });
  }
}

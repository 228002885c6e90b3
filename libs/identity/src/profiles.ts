import type { AuditLog } from '#audit-log';
import { DomainError, invalidField, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import type { Confirmations } from './confirmations.ts';
import { emailOf } from './domain/email.ts';
import { nameOf } from './domain/name.ts';
import type { Actor, Profile } from './domain/user.ts';
import type { AccountStore, AvatarFiles } from './ports.ts';
import type { Reauthentication } from './reauthentication.ts';

/** A user's own name, picture and e-mail address. */
export class Profiles {
  constructor(
    private readonly deps: {
      readonly accounts: Pick<AccountStore, 'find' | 'findByEmail' | 'lock' | 'update'>;
      readonly auditLog: Pick<AuditLog, 'record'>;
      readonly avatars: AvatarFiles;
      readonly confirmations: Confirmations;
      readonly reauthentication: Reauthentication;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
    },
  ) {}

  /** @throws DomainError `unauthenticated` when the account is gone */
  async read(userId: number): Promise<Profile> {
    const profile = await this.deps.accounts.find(userId);
    if (!profile) throw new DomainError('unauthenticated', 'the account is gone');
    return profile;
  }

  /**
   * Changes the name and the picture. The former picture is deleted if nothing else refers to it.
   *
   * @param changes.avatar stored URL of a picture of the workspace; absent properties stay as they are
   * @throws DomainError `validation_failed`, `not_found`, `file_expired`
   */
  update(
    { userId, workspaceId }: Actor,
    changes: { readonly name?: string | null; readonly avatar?: string | null },
  ): Promise<Profile> {
    const { name, avatar } = changes;
    return this.deps.unitOfWork.run(async () => {
      const before = await this.deps.accounts.lock(userId);
      await this.deps.accounts.update(userId, {
        ...(name !== undefined && { name: name === null ? null : nameOf(name) }),
        ...(avatar !== undefined && {
          avatarFileId: avatar === null ? null : await this.#picture(workspaceId, avatar),
        }),
      });
      const fields = (['name', 'avatar'] as const).filter((field) => changes[field] !== undefined);
      await this.deps.auditLog.record({ action: 'account.update', target: userId, details: { fields } });
      if (avatar !== undefined && before?.avatarFileId != null) {
        const payload = { fileIds: [before.avatarFileId] };
        await this.deps.jobs.announce({ name: 'files.reclaim', payload, workspaceId });
      }
      return this.read(userId);
    });
  }

  /**
   * Has a token mailed to a new address, which becomes the account's address once the token is used, and a notice to
   * the present address. An address that another account has gets the same mail; its token can't be used.
   *
   * @throws DomainError `validation_failed`; `forbidden` for an account without a password, unless its session is new
   */
  async requestEmail(
    actor: Actor,
    request: { readonly email: string; readonly password: string | null },
  ): Promise<void> {
    const email = emailOf(request.email);
    const account = await this.deps.reauthentication.require(actor, request.password);
    await this.deps.unitOfWork.run(async () => {
      await this.deps.confirmations.start({ userId: account.id, purpose: 'email', email });
      if (email === account.email) return;
      await this.deps.confirmations.notify(account, 'email_change_requested');
      await this.deps.auditLog.record({ action: 'account.email_change_request', target: account.id, details: {} });
    });
  }

  /** Mails a new token for the present address. */
  async resendConfirmation({ userId }: Actor): Promise<void> {
    await this.deps.unitOfWork.run(async () => {
      const { email } = await this.read(userId);
      await this.deps.confirmations.start({ userId, purpose: 'email', email });
    });
  }

  /**
   * Verifies an address by a mailed token. A changed address ends reset tokens that were mailed to the former one.
   *
   * @throws DomainError `validation_failed`; `user_exists` when another account has the address
   */
  confirmEmail(token: string): Promise<Profile> {
    return this.deps.unitOfWork.run(async () => {
      const { userId, email } = await this.deps.confirmations.redeem('email', token);
      const { email: former } = await this.read(userId);
      await this.deps.accounts.update(userId, { email, emailVerifiedAt: this.deps.clock.now() });
      const changed = email !== former;
      if (changed) await this.deps.confirmations.cancel(userId, 'password_reset');
      await this.deps.auditLog.record({
        action: 'account.email_confirm',
        target: userId,
        details: { changed },
        userId,
      });
      return this.read(userId);
    });
  }

  async #picture(workspaceId: number, url: string): Promise<number> {
    const file = await this.deps.avatars.resolve({ workspaceId, url });
    if (!file) throw invalidField('avatar', 'must be the URL of a file of this service');
    if (!file.contentType.startsWith('image/')) throw invalidField('avatar', 'must be a picture');
    return file.id;
  }
}

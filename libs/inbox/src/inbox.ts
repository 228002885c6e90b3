import type { Clock, UnitOfWork } from '#kernel';
import { mailSettingsOf, type MailSettings } from './domain/mail-settings.ts';
import type { InboxStore, MarkedEntries, Reader } from './ports.ts';

/** A person's marks of entries, and their choice of mails. */
export class Inbox {
  constructor(
    private readonly store: Pick<InboxStore, 'markRead' | 'mailSettings' | 'saveMailSettings'>,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  markRead({ workspaceId, userId }: Reader, which: MarkedEntries): Promise<void> {
    return this.unitOfWork.run(() => this.store.markRead({ workspaceId, userId }, which, this.clock.now()));
  }

  async mailSettings({ userId }: Pick<Reader, 'userId'>): Promise<MailSettings> {
    return mailSettingsOf((await this.store.mailSettings([userId])).get(userId) ?? {});
  }

  /** @param changes absent kinds stay as they are */
  changeMailSettings(reader: Pick<Reader, 'userId'>, changes: Partial<MailSettings>): Promise<MailSettings> {
    return this.unitOfWork.run(async () => {
      await this.store.saveMailSettings(reader.userId, changes);
      return this.mailSettings(reader);
    });
  }
}

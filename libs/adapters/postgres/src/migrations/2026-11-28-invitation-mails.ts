import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Invitations that are not mailed, because too many were before. */
export class InvitationMails extends OnlineMigration {
  protected override readonly statements = [
    `alter table invitations
      drop constraint invitations_delivery_check,
      add constraint invitations_delivery_check
        check (delivery in ('waiting', 'sent', 'refused', 'limited')) not valid`,
  ];
}

/** How the mails to an address and of a workspace are counted. */
export class InvitationMailIndexes extends IndexMigration {
  protected override readonly indexes = [
    { name: 'invitations_address_mails', on: 'invitations (email, created_at)' },
    { name: 'invitations_workspace_mails', on: 'invitations (workspace_id, created_at)' },
  ];
}

/** In a transaction of its own: it reads the table, while it can be written. */
export class ValidInvitationMails extends OnlineMigration {
  protected override readonly statements = ['alter table invitations validate constraint invitations_delivery_check'];
}

import { IndexMigration } from './online-migration.ts';

/** How the sweep finds pictures that nobody makes. */
export class WaitingSharePictures extends IndexMigration {
  protected override readonly indexes = [
    { name: 'share_pictures_waiting', on: `share_pictures (share_id, media_id) where state = 'waiting'` },
  ];
}

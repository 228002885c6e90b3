import { sql } from 'kysely';
import { isPictureType, isVectorType } from '#sources';
import type { Thumbnail } from '#files';
import type { ItemToMark, MadeCopies, MarkedPictureStore, Share } from '#sharing';
import type { Database } from '../database.ts';
import { anyOf, build, prepared } from '../prepared.ts';
import { SharePicture, SharePictureFile } from '../schema.ts';
import { sharedMedia } from './shared-media.ts';

/** Guests of the link get no copy of this item: as `needsCopy` of the domain. */
const SHOWN_AS_IT_IS = sql<boolean>`(shares.watermark is null and shares.label is null
  and ('download' = any(shares.allow) or files.content_type is null or files.content_type not like 'video/%'))`;

export class PostgresMarkedPictures implements MarkedPictureStore {
  constructor(private readonly database: Database) {}

  /** The link is locked first, and items are added in one order: no two units of work wait for each other. */
  async request(shareId: number, mediaIds: readonly number[]): Promise<readonly number[]> {
    if (mediaIds.length === 0) return [];
    const { kysely } = this.database;
    await kysely.selectFrom('shares').select('id').where('id', '=', shareId).forShare().execute();
    const rows = await kysely
      .insertInto('share_pictures')
      .columns(['share_id', 'media_id'])
      .expression(
        kysely
          .selectFrom('media')
          .innerJoin('shares', (join) => join.on('shares.id', '=', shareId))
          .leftJoin('files', 'files.key', 'media.file_key')
          .where('media.id', '=', anyOf(sql.val(mediaIds)))
          .where(sql<boolean>`not ${SHOWN_AS_IT_IS}`)
          .orderBy('media.id')
          .select(['shares.id as share_id', 'media.id as media_id']),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning('media_id')
      .execute();
    return rows.map(({ media_id }) => media_id);
  }

  async unrequested(share: Share, limit: number): Promise<readonly number[]> {
    const pictures = this.database.kysely
      .selectFrom('share_pictures as picture')
      .select('picture.media_id')
      .where('picture.share_id', '=', share.id);
    const rows = await sharedMedia(this.database, share)
      .select('media.id')
      .where('media.id', 'not in', pictures)
      .orderBy('media.id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  async waiting(shareId: number, mediaIds: readonly number[]): Promise<readonly ItemToMark[]> {
    const rows = await this.database.kysely
      .selectFrom('share_pictures as picture')
      .innerJoin('shares', 'shares.id', 'picture.share_id')
      .innerJoin('media', 'media.id', 'picture.media_id')
      .innerJoin('boards', 'boards.id', 'media.board_id')
      .leftJoin('files', 'files.key', 'media.file_key')
      .where('picture.share_id', '=', shareId)
      .where('picture.media_id', '=', anyOf(sql.val(mediaIds)))
      .where((eb) => eb.and({ 'picture.state': 'waiting', 'media.deletion_id': null, 'boards.deletion_id': null }))
      .where(sql<boolean>`not ${SHOWN_AS_IT_IS}`)
      .select(['media.id as mediaId', 'shares.workspace_id as workspaceId', 'shares.watermark', 'shares.label'])
      .select(['files.key as fileKey', 'files.content_type as contentType', 'files.thumbnails'])
      .orderBy('media.id', 'desc')
      .execute();
    return rows.map(({ fileKey, contentType, thumbnails, ...item }) => {
      const isPicture = contentType !== null && isPictureType(contentType) && !isVectorType(contentType);
      const largest = thumbnails?.at(-1);
      const preview = largest ? { key: largest.key, contentType: 'image/webp' } : null;
      const source = isPicture && fileKey ? { key: fileKey, contentType } : preview;
      return { ...item, shareId, source, videoKey: contentType?.startsWith('video/') ? fileKey : null };
    });
  }

  /** The link is locked first: its texts do not change before the copies are saved. */
  async save({ shareId, mediaId, watermark, label }: ItemToMark, { pictureId, clipId }: MadeCopies): Promise<boolean> {
    const { em, kysely } = this.database;
    const shares = kysely.selectFrom('shares').select('id').where('id', '=', shareId);
    const share = await shares
      .where('watermark', 'is not distinct from', watermark)
      .where('label', 'is not distinct from', label)
      .forShare()
      .executeTakeFirst();
    if (!share) return false;
    const whole = sql<Thumbnail>`(
      select jsonb_build_object('key', key, 'width', width, 'height', height) from files where id = ${pictureId}::bigint)`;
    const saved = await kysely
      .updateTable('share_pictures')
      .set({ state: 'made', whole })
      .where((eb) => eb.and({ share_id: shareId, media_id: mediaId, state: 'waiting' }))
      .returning('media_id')
      .execute();
    if (saved.length === 0) return false;
    for (const fileId of [pictureId, clipId]) {
      if (fileId !== null) await em.insert(SharePictureFile, { fileId, shareId, mediaId });
    }
    return true;
  }

  withoutJob(limit: number): ReturnType<MarkedPictureStore['withoutJob']> {
    return this.database.run(selectWithoutJob, { limit });
  }

  async forgetUnrequested(shareId: number, mediaIds: readonly number[]): Promise<void> {
    await this.database.kysely
      .deleteFrom('share_pictures as picture')
      .using('media')
      .innerJoin('boards', 'boards.id', 'media.board_id')
      .innerJoin('shares', (join) => join.on('shares.id', '=', shareId))
      .leftJoin('files', 'files.key', 'media.file_key')
      .whereRef('media.id', '=', 'picture.media_id')
      .where((eb) => eb.and({ 'picture.share_id': shareId, 'picture.state': 'waiting' }))
      .where('picture.media_id', '=', anyOf(sql.val(mediaIds)))
      .where((eb) =>
        eb.or([eb('media.deletion_id', 'is not', null), eb('boards.deletion_id', 'is not', null), SHOWN_AS_IT_IS]),
      )
      .execute();
  }

  async forget(shareId: number): Promise<void> {
    await this.database.em.nativeDelete(SharePicture, { shareId });
  }
}

const selectWithoutJob = prepared<{ limit: number }>()((param) =>
  build
    .selectFrom('share_pictures as picture')
    .innerJoin('shares', 'shares.id', 'picture.share_id')
    .where('picture.state', '=', sql.lit('waiting'))
    .where(
      sql<boolean>`not exists (
        select from jobs where jobs.name = 'share.mark' and (jobs.payload ->> 'shareId')::bigint = picture.share_id
          and jobs.payload -> 'mediaIds' @> to_jsonb(picture.media_id))`,
    )
    .orderBy('picture.share_id')
    .orderBy('picture.media_id')
    .limit(param('limit'))
    .select(['picture.share_id as shareId', 'picture.media_id as mediaId', 'shares.workspace_id as workspaceId']),
);

import { shownEvent } from '#events';
import type { FileUrls } from '#files';
import {
  INBOX_KINDS,
  MAIL_TIMES,
  MAX_COUNTED,
  MAX_MARKED_ENTRIES,
  type InboxEntry,
  type InboxKind,
  type MailSettings,
  type MailTime,
  type MarkedEntries,
} from '#inbox';
import { invalidField } from '#kernel';
import { VERDICTS, type Verdict } from '#review';
import { EventDto } from '../events/events.dto.ts';
import { thumbnailDtos, ThumbnailDto } from '../files/picture.dto.ts';
import {
  BooleanField,
  ChoiceField,
  ChoicesField,
  dtoOf,
  IdsField,
  IntegerField,
  ListField,
  ObjectField,
  PageResponse,
  TextField,
  TimeField,
} from '../http/index.ts';

const KindsField = (description: string) =>
  ChoicesField(INBOX_KINDS, description, { example: ['mention', 'decision'], required: false });

export class InboxQuery {
  @BooleanField('Only unread entries. Default: false.', { example: true, required: false }) unread?: boolean;
  @BooleanField('Only requests for changes that are open. Default: false.', { required: false }) open?: boolean;
  @KindsField('Only entries of these kinds.') kinds?: InboxKind[];
}

export class InboxEntryDto {
  @IntegerField('Identifier.', { example: 12 }) id!: number;
  @ChoiceField(INBOX_KINDS, 'What it is about.', { example: 'decision' }) kind!: InboxKind;
  @TimeField('When it happened.') created_at!: Date;
  @TimeField('When it was read; null for an unread entry.', { nullable: true }) read_at!: Date | null;
  @ObjectField(() => EventDto, 'The event, as `GET /v2/events` shows it.') event!: EventDto;
  @TextField('Name of the board, link, batch, style or model.', { example: 'Summer' }) title!: string;
  @TextField('Name of the picture that a comment or decision is about.', { example: 'red fox 42', nullable: true })
  item!: string | null;

  @TextField('Name of the member or guest who wrote or decided.', { example: 'Ada', nullable: true })
  author!: string | null;
  @TextField('Text of the comment or decision, as it is now; the numbers of a summary.', {
    example: 'Warmer, please',
    nullable: true,
  })
  text!: string | null;
  @ChoiceField(VERDICTS, 'The decision.', { example: 'approved', nullable: true }) verdict!: Verdict | null;
  @IntegerField('Board of the item or of the link.', { example: 3, nullable: true }) board_id!: number | null;
  @IntegerField('Folder of the item; null at the root of the board.', { example: 4, nullable: true })
  folder_id!: number | null;
  @IntegerField('The media item.', { example: 31, nullable: true }) media_id!: number | null;
  @IntegerField('Persona of the style.', { example: null, nullable: true }) persona_id!: number | null;
  @ListField(() => ThumbnailDto, 'Thumbnails of the media item, smallest first.') thumbnails!: ThumbnailDto[];
}

export function inboxEntryDto({ event, thumbnails, ...entry }: InboxEntry, urls: FileUrls): InboxEntryDto {
  const shown = { event: shownEvent(event, urls), thumbnails: thumbnailDtos(thumbnails, urls) };
  return dtoOf(InboxEntryDto, { ...entry, ...shown });
}

const UnreadField = () => IntegerField(`Unread entries of all kinds, counted up to ${MAX_COUNTED}.`, { example: 2 });

export class InboxResponse extends PageResponse {
  @ListField(() => InboxEntryDto, 'A page of entries, newest first.') items!: InboxEntryDto[];
  @UnreadField() unread!: number;
}

export class MarkReadResponse {
  @UnreadField() unread!: number;
}

export class MarkReadRequest {
  @IdsField(`Entries, ${MAX_MARKED_ENTRIES} at most; others than those of the caller are left out.`, {
    example: [12, 13],
    max: MAX_MARKED_ENTRIES,
    required: false,
  })
  ids?: number[];

  @BooleanField('True for all entries, instead of `ids`.', { required: false }) all?: boolean;
  @KindsField('With `all`: only entries of these kinds.') kinds?: InboxKind[];
}

/** @throws DomainError `validation_failed` unless either `ids` or `all` is given */
export function markedEntriesOf({ ids, all = false, kinds }: MarkReadRequest): MarkedEntries {
  if (all === (ids !== undefined)) throw invalidField('ids', 'must be given, or `all: true` instead');
  if (ids === undefined) return { kinds: kinds ?? INBOX_KINDS };
  if (kinds !== undefined) throw invalidField('kinds', 'must not be given with `ids`');
  return { ids };
}

const MailField = (kind: string, options = {}) =>
  ChoiceField(MAIL_TIMES, `When ${kind} are mailed.`, { example: 'immediate', ...options });

export class InboxSettingsDto implements MailSettings {
  @MailField('mentions') mention!: MailTime;
  @MailField('comments on your items and in your threads') comment!: MailTime;
  @MailField('decisions about your items') decision!: MailTime;
  @MailField('ends of reviews') summary!: MailTime;
  @MailField('openings of your links') share!: MailTime;
  @MailField('ends of your batches') batch!: MailTime;
  @MailField('ends of the trainings of your styles') style!: MailTime;
  @MailField('ends of models that you use') model!: MailTime;
}

const OPTIONAL = { required: false };

export class InboxSettingsRequest implements Partial<MailSettings> {
  @MailField('mentions', OPTIONAL) mention?: MailTime;
  @MailField('comments on your items and in your threads', OPTIONAL) comment?: MailTime;
  @MailField('decisions about your items', OPTIONAL) decision?: MailTime;
  @MailField('ends of reviews', OPTIONAL) summary?: MailTime;
  @MailField('openings of your links', OPTIONAL) share?: MailTime;
  @MailField('ends of your batches', OPTIONAL) batch?: MailTime;
  @MailField('ends of the trainings of your styles', OPTIONAL) style?: MailTime;
  @MailField('ends of models that you use', OPTIONAL) model?: MailTime;
}

export class InboxSettingsResponse {
  @ObjectField(
    () => InboxSettingsDto,
    '`immediate`: at once, once an hour about one subject at most; `digest`: once a day.',
  )
  settings!: InboxSettingsDto;
}

import { MAX_LABEL } from '#files';
import { DomainError } from '#kernel';
import {
  ALLOWANCES,
  MAX_NAME_LENGTH,
  MAX_SHARE_PASSWORD,
  MAX_SHARED_MEDIA,
  MAX_WATERMARK,
  MIN_SHARE_PASSWORD,
  type Allowance,
  type SharedItems,
  type ShareRequest,
  type ShareView,
} from '#sharing';
import {
  BooleanField,
  BooleanOrTextField,
  ChoicesField,
  dtoOf,
  IdsField,
  IntegerField,
  ListField,
  ObjectField,
  PageResponse,
  TextField,
  TimeBoundField,
  TimeField,
  timeOf,
  UrlField,
} from '../http/index.ts';

const OPTIONAL = { required: false } as const;
const CLEARABLE = { required: false, nullable: true } as const;

const AllowField = ChoicesField(
  ALLOWANCES,
  'What guests may do beside looking: any of `download`, `comment`, `decide`; or nothing.',
  { example: ['comment', 'decide'], min: 0, ...OPTIONAL },
);

export class UpdateShareRequest {
  @TextField('Name that guests see. A new link has the name of the board or folder by default.', {
    example: 'Summer campaign',
    max: MAX_NAME_LENGTH,
    ...OPTIONAL,
  })
  name?: string;

  @AllowField allow?: readonly Allowance[];

  @TextField('Password that guests must give; null for none. All guests must enter again when it changes.', {
    min: MIN_SHARE_PASSWORD,
    max: MAX_SHARE_PASSWORD,
    ...CLEARABLE,
  })
  password?: string | null;

  @TextField(
    'Text on every picture that guests get; null for none. Guests then get no original, and of videos marked copies.',
    { example: 'Draft', max: MAX_WATERMARK, ...CLEARABLE },
  )
  watermark?: string | null;

  @BooleanOrTextField(
    "Visible label in the corner of every picture that guests get: a text, or true for the operator's, such as " +
      '"AI-generated"; false or null for none. Guests get copies, as with a watermark.',
    { example: true, max: MAX_LABEL, ...CLEARABLE },
  )
  label?: boolean | string | null;

  @TimeBoundField('When the link ends, at most a year away; null for never.', { nullable: true })
  expires_at?: string | null;
}

export class CreateShareRequest extends UpdateShareRequest {
  @IntegerField('A whole board.', { example: 7, min: 1, ...OPTIONAL }) board_id?: number;
  @IntegerField('A folder of a board, with the folders in it.', { example: 9, min: 1, ...OPTIONAL })
  folder_id?: number;
  @IdsField(`Media items of boards, ${MAX_SHARED_MEDIA} at most.`, {
    example: [12, 13],
    max: MAX_SHARED_MEDIA,
    ...OPTIONAL,
  })
  media_ids?: number[];
}

export class SharesQuery {
  @IntegerField('Only links that show something of this board.', { min: 1, ...OPTIONAL }) board_id?: number;
}

export class ShareVisitDto {
  @TextField('The name that the guest has given.', { example: 'Grace' }) name!: string;
  @IntegerField('How often this guest opened the link.', { example: 3 }) opened_count!: number;
  @TimeField('When last.') last_opened_at!: Date;
}

export class ShareAuthorDto {
  @IntegerField('Identifier of the user.', { example: 7 }) user_id!: number;
  @TextField('Name; null without one.', { example: 'Ada', nullable: true }) name!: string | null;
}

export class ShareDto {
  @IntegerField('Identifier.', { example: 4 }) id!: number;
  @TextField('Name.', { example: 'Summer campaign' }) name!: string;
  @IntegerField('The board, also of a folder; null for media items.', { nullable: true }) board_id!: number | null;
  @IntegerField('The folder; null for others.', { nullable: true }) folder_id!: number | null;
  @IntegerField('How many media items guests see now.', { example: 12 }) media_count!: number;
  @ChoicesField(ALLOWANCES, 'What guests may do beside looking.', { example: ['comment'], min: 0 })
  allow!: readonly Allowance[];
  @BooleanField('Whether guests need a password.') has_password!: boolean;
  @TextField('Text on every picture; null for none.', { nullable: true }) watermark!: string | null;
  @TextField('Text of the visible label on every picture; null for none.', { nullable: true }) label!: string | null;
  @TimeField('When it ends; null for never.', { nullable: true }) expires_at!: Date | null;
  @TimeField('When it was made.') created_at!: Date;
  @ObjectField(() => ShareAuthorDto, 'Who made it.') created_by!: ShareAuthorDto;
  @IntegerField('How often it was opened.', { example: 5 }) opened_count!: number;
  @TimeField('When it was opened last; null for never.', { nullable: true }) last_opened_at!: Date | null;
  @ListField(() => ShareVisitDto, 'Guests who gave their name, the latest first; 100 at most.')
  opened_by!: readonly ShareVisitDto[];
}

export class NewShareDto extends ShareDto {
  @UrlField('The link. It is shown only here: whoever has it is a guest.') url!: string;
}

export class NewShareResponse {
  @ObjectField(() => NewShareDto, 'The share, with its link.') share!: NewShareDto;
}

export class ShareResponse {
  @ObjectField(() => ShareDto, 'The share.') share!: ShareDto;
}

export class SharesResponse extends PageResponse {
  @ListField(() => ShareDto, 'Shares, newest first.') shares!: ShareDto[];
}

/** @throws DomainError `validation_failed` unless exactly one field is given */
export function sharedItemsOf({ board_id, folder_id, media_ids }: CreateShareRequest): SharedItems {
  const given: SharedItems[] = [];
  if (board_id !== undefined) given.push({ of: 'board', boardId: board_id });
  if (folder_id !== undefined) given.push({ of: 'folder', folderId: folder_id });
  if (media_ids) given.push({ of: 'media', mediaIds: media_ids });
  const [items, more] = given;
  if (items && !more) return items;
  throw new DomainError('validation_failed', 'exactly one of board_id, folder_id and media_ids must be given');
}

export function shareRequestOf({
  name,
  allow,
  password,
  watermark,
  label,
  expires_at,
}: UpdateShareRequest): ShareRequest {
  return {
    ...(name === undefined ? {} : { name }),
    ...(allow === undefined ? {} : { allow }),
    ...(password === undefined ? {} : { password }),
    ...(watermark === undefined ? {} : { watermark }),
    ...(label === undefined ? {} : { label }),
    ...(expires_at === undefined ? {} : { expiresAt: expires_at === null ? null : timeOf('expires_at', expires_at)! }),
  };
}

export function shareDto(share: ShareView): ShareDto {
  return dtoOf(ShareDto, {
    ...share,
    hasPassword: share.passwordHash !== null,
    createdBy: { user_id: share.createdBy, name: share.createdByName },
    openedBy: share.openedBy.map((visit) => dtoOf(ShareVisitDto, visit)),
  });
}

import type { FileUrls } from '#files';
import type { Page } from '#kernel';
import { MAX_COMMENT_LENGTH, VERDICTS, type Author, type CommentView, type DecisionView, type Verdict } from '#review';
import {
  ALLOWANCES,
  MAX_GUEST_NAME,
  MAX_SHARE_PASSWORD,
  type Allowance,
  type GuestItem,
  type SharedFolder,
  type Visit,
} from '#sharing';
import { FolderDto, VersionField, versionsOf, VersionsField } from '../board/board.dto.ts';
import { DrawingField, pinFields, type StrokeDto } from '../review/review.dto.ts';
import { SeenPictureDto, thumbnailDtos } from '../files/picture.dto.ts';
import {
  BooleanField,
  ChoiceField,
  ChoicesField,
  cursorOf,
  dtoOf,
  IdsField,
  IntegerField,
  ListField,
  NumberField,
  ObjectField,
  PageResponse,
  TextField,
  TimeField,
  UrlField,
} from '../http/index.ts';

const KINDS = ['picture', 'drawing', 'video', 'model'] as const;
const OPTIONAL = { required: false, nullable: true } as const;
/** Items that a request names. */
const MAX_IDS = 500;

export class EnterShareRequest {
  @TextField('The password, if the link needs one.', { max: MAX_SHARE_PASSWORD, ...OPTIONAL })
  password?: string | null;
  @TextField('The name of the guest; absent to keep it.', { example: 'Grace', max: MAX_GUEST_NAME, ...OPTIONAL })
  name?: string | null;
}

export class SharedMediaQuery {
  @IntegerField('Only items of this folder; `null` for those in no folder.', { min: 1, ...OPTIONAL })
  folder_id?: number | null;
}

export class SharedZipQuery {
  @IdsField(`Only these items, ${MAX_IDS} at most.`, { example: [12, 13], max: MAX_IDS, required: false })
  media_ids?: number[];
}

export class UpdateSharedCommentRequest {
  @TextField('Plain text: 1 to 4,000 characters.', { example: 'Warmer here?', max: MAX_COMMENT_LENGTH }) text!: string;
}

export class SharedShareDto {
  @TextField('Name.', { example: 'Summer campaign' }) name!: string;
  @ChoicesField(ALLOWANCES, 'What guests may do beside looking.', { example: ['comment'], min: 0 })
  allow!: readonly Allowance[];
  @TimeField('When the link ends; null for never.', { nullable: true }) expires_at!: Date | null;
  @BooleanField('Whether pictures have a watermark.') has_watermark!: boolean;
  @BooleanField('Whether pictures have a visible label.') has_label!: boolean;
  @ListField(() => FolderDto, 'All folders; those at the root have no parent.') folders!: readonly FolderDto[];
}

export class GuestDto {
  @TextField('The name that the guest has given; null before.', { nullable: true }) name!: string | null;
}

export class SharedResponse {
  @ObjectField(() => SharedShareDto, 'What is shared.') share!: SharedShareDto;
  @ObjectField(() => GuestDto, 'The guest.') guest!: GuestDto;
}

export class SharedMediaDto extends SeenPictureDto {
  @IntegerField('Identifier.', { example: 21 }) id!: number;
  @ChoiceField(KINDS, 'What it is.') kind!: string;
  @TextField('Name of the picture.', { example: 'red fox at dawn' }) name!: string;
  @IntegerField('Folder; null at the root.', { nullable: true }) folder_id!: number | null;
  @BooleanField('False while its pictures with the watermark or label, or its video for guests, are being made.')
  is_prepared!: boolean;
  @UrlField('The original; null unless guests may download it.', { nullable: true }) url!: string | null;
  @BooleanField('Whether it is a video that `shared.media.play` sends, also where guests may not download it.')
  is_playable!: boolean;
  @ChoiceField(VERDICTS, 'The latest decision, if guests may decide.') decision!: Verdict;
  @IntegerField('How many comments it has, if guests may comment.', { example: 2 }) comments_count!: number;
  @VersionField() version!: number;
  @VersionsField() versions!: readonly number[];
  @TextField('Digital source type of IPTC, if an AI system made the item here; else null.', {
    example: 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
    nullable: true,
  })
  digital_source_type!: string | null;
}

export class SharedMediaResponse extends PageResponse {
  @ListField(() => SharedMediaDto, 'A page of media, in the order of the board; of versions, newest first.')
  media!: SharedMediaDto[];
}

export class SharedAuthorDto {
  @TextField('Name; null without one.', { example: 'Grace', nullable: true }) name!: string | null;
  @BooleanField('Whether the author is a guest.') is_guest!: boolean;
  @BooleanField('Whether the author is this guest.') is_you!: boolean;
}

export class SharedCommentDto {
  @IntegerField('Identifier.', { example: 31 }) id!: number;
  @IntegerField('The first comment of the thread; null for that comment.', { nullable: true }) parent_id!:
    | number
    | null;
  @ObjectField(() => SharedAuthorDto, 'Who wrote it.') author!: SharedAuthorDto;
  @TextField('Plain text.', { example: 'Warmer here?' }) text!: string;
  @NumberField('Share of the width.', { example: 0.25, nullable: true }) x!: number | null;
  @NumberField('Share of the height.', { example: 0.5, nullable: true }) y!: number | null;
  @NumberField('Moment of a video in seconds.', { nullable: true }) time!: number | null;
  @DrawingField() drawing!: readonly StrokeDto[] | null;
  @TimeField('When it was written.') created_at!: Date;
  @TimeField('When its text was changed last.', { nullable: true }) edited_at!: Date | null;
  @TimeField('When the thread was resolved; null while it is open.', { nullable: true }) resolved_at!: Date | null;
}

export class SharedCommentResponse {
  @ObjectField(() => SharedCommentDto, 'The comment.') comment!: SharedCommentDto;
}

export class SharedCommentsResponse extends PageResponse {
  @ListField(() => SharedCommentDto, 'A page of comments, oldest first.') comments!: SharedCommentDto[];
}

export class SharedDecisionDto {
  @ChoiceField(VERDICTS, 'The decision.') decision!: Verdict;
  @TextField('Plain text.', { nullable: true }) text!: string | null;
  @ObjectField(() => SharedAuthorDto, 'Who decided.') author!: SharedAuthorDto;
  @TimeField('When.') created_at!: Date;
}

export class SharedDecisionResponse {
  @ObjectField(() => SharedDecisionDto, 'The decision.') decision!: SharedDecisionDto;
}

export function sharedResponse({ share, guest }: Visit, folders: readonly SharedFolder[]): SharedResponse {
  return {
    share: {
      name: share.name,
      allow: share.allow,
      expires_at: share.expiresAt,
      has_watermark: share.watermark !== null,
      has_label: share.label !== null,
      folders: folders.map(({ id, name, parentId }) => ({ id, name, parent_id: parentId })),
    },
    guest: { name: guest && guest.name },
  };
}

export function sharedMediaResponse({ items, next }: Page<GuestItem>, urls: FileUrls): SharedMediaResponse {
  const media = items.map((item) =>
    dtoOf(SharedMediaDto, {
      ...item,
      ...versionsOf(item),
      digitalSourceType: item.digitalSource,
      url: item.originalKey && urls.urlOf(item.originalKey),
      thumbnails: thumbnailDtos(item.thumbnails, urls),
    }),
  );
  return { media, next_cursor: cursorOf(next) };
}

export function sharedCommentDto(comment: CommentView, visit: Visit): SharedCommentDto {
  return dtoOf(SharedCommentDto, { ...comment, ...pinFields(comment), author: sharedAuthorDto(comment.author, visit) });
}

export function sharedDecisionDto({ verdict, text, author, createdAt }: DecisionView, visit: Visit): SharedDecisionDto {
  return { decision: verdict, text, author: sharedAuthorDto(author, visit), created_at: createdAt };
}

function sharedAuthorDto({ userId, name, guest }: Author, visit: Visit): SharedAuthorDto {
  return { name, is_guest: userId === null, is_you: guest !== null && guest.id === visit.guest?.id };
}

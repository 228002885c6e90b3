import {
  MAX_COMMENT_LENGTH,
  MAX_DECISION_TEXT,
  MAX_DRAWING_BYTES,
  MAX_STROKES,
  VERDICTS,
  type Author,
  type CommentRequest,
  type CommentView,
  type DecisionView,
  type Verdict,
} from '#review';
import {
  BooleanField,
  ChoiceField,
  dtoOf,
  IntegerField,
  JsonField,
  ListField,
  NumberField,
  ObjectField,
  PageResponse,
  RowsField,
  TextField,
  TimeField,
} from '../http/index.ts';

const OPTIONAL = { required: false, nullable: true } as const;

const CommentText = TextField('Plain text: 1 to 4,000 characters. `@name` mentions a member.', {
  example: '@Grace, warmer here?',
  max: MAX_COMMENT_LENGTH,
});

export class UpdateCommentRequest {
  @CommentText text!: string;
}

const POINTS = {
  type: 'array',
  items: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
} as const;

export class StrokeDto {
  @TextField('Colour.', { example: '#c04030' }) color!: string;
  @NumberField('Share of the width of the item, at most 0.1.', { example: 0.01 }) width!: number;
  @JsonField('Shares of the width and the height from the upper left corner: [[x, y], …].', {
    schema: POINTS,
    example: [[0.25, 0.5]],
  })
  points!: readonly (readonly [number, number])[];
}

export class CreateCommentRequest extends UpdateCommentRequest {
  @NumberField('A point of the item: share of its width from the left, 0 to 1.', { example: 0.25, ...OPTIONAL })
  x?: number | null;

  @NumberField('Share of its height from above, 0 to 1; together with `x`.', { example: 0.5, ...OPTIONAL })
  y?: number | null;

  @NumberField('A moment of a video, in seconds; without `x` and `y`.', OPTIONAL) time?: number | null;

  @IntegerField('The comment to reply to; a reply has no `x`, `y` and `time`.', { min: 1, ...OPTIONAL })
  parent_id?: number | null;

  @RowsField(() => StrokeDto, `Lines over the item: strokes, ${MAX_DRAWING_BYTES} bytes at most.`, {
    max: MAX_STROKES,
    required: false,
  })
  drawing?: readonly object[];
}

export class ResolveCommentRequest {
  @BooleanField('False opens the thread again. Default: true.', { required: false }) resolved?: boolean;
}

export class DecisionRequest {
  @ChoiceField(VERDICTS, 'The decision; `none` takes the present one back.', { example: 'approved' })
  decision!: Verdict;

  @TextField('Plain text, at most 4,000 characters.', {
    example: 'Warmer, please',
    max: MAX_DECISION_TEXT,
    ...OPTIONAL,
  })
  text?: string | null;
}

export class AuthorDto {
  @IntegerField('Identifier of the user; null for a guest of a share link.', { example: 7, nullable: true })
  user_id!: number | null;
  @TextField('Name; null without one.', { example: 'Ada', nullable: true }) name!: string | null;
  @IntegerField('The share link of a guest; null for members, and when the link is gone.', { nullable: true })
  share_id!: number | null;
}

export class ResolverDto {
  @IntegerField('Identifier of the user.', { example: 7 }) user_id!: number;
  @TextField('Name; null without one.', { example: 'Ada', nullable: true }) name!: string | null;
}

export const DrawingField = () =>
  ListField(() => StrokeDto, 'Lines over the item; null without any.', { nullable: true });

export class CommentDto {
  @IntegerField('Identifier.', { example: 31 }) id!: number;
  @IntegerField('The first comment of the thread; null for that comment.', { nullable: true }) parent_id!:
    | number
    | null;
  @ObjectField(() => AuthorDto, 'Who wrote it.') author!: AuthorDto;
  @TextField('Plain text.', { example: 'Warmer here?' }) text!: string;
  @NumberField('Share of the width.', { example: 0.25, nullable: true }) x!: number | null;
  @NumberField('Share of the height.', { example: 0.5, nullable: true }) y!: number | null;
  @NumberField('Moment of a video in seconds.', { nullable: true }) time!: number | null;
  @DrawingField() drawing!: readonly StrokeDto[] | null;
  @ListField(() => Number, 'Identifiers of the users whom it mentions.', { example: [8] }) mentions!: readonly number[];
  @TimeField('When it was written.') created_at!: Date;
  @TimeField('When its text was changed last.', { nullable: true }) edited_at!: Date | null;
  @TimeField('When the thread was resolved; null while it is open.', { nullable: true }) resolved_at!: Date | null;

  @ObjectField(() => ResolverDto, 'The member who resolved the thread.', { nullable: true })
  resolved_by!: ResolverDto | null;
}

export class CommentResponse {
  @ObjectField(() => CommentDto, 'The comment.') comment!: CommentDto;
}

export class CommentsResponse extends PageResponse {
  @ListField(() => CommentDto, 'A page of comments, oldest first.') comments!: CommentDto[];
}

export class DecisionDto {
  @IntegerField('Identifier.', { example: 5 }) id!: number;
  @ChoiceField(VERDICTS, 'The decision.') decision!: Verdict;
  @TextField('Plain text.', { nullable: true }) text!: string | null;
  @ObjectField(() => AuthorDto, 'Who decided.') author!: AuthorDto;
  @TimeField('When.') created_at!: Date;
}

export class DecisionResponse {
  @ObjectField(() => DecisionDto, 'The decision.') decision!: DecisionDto;
}

export class DecisionsResponse extends PageResponse {
  @ListField(() => DecisionDto, 'A page of decisions, newest first: the first of all counts.')
  decisions!: DecisionDto[];
}

export function commentRequestOf(request: CreateCommentRequest): CommentRequest {
  const { text, x = null, y = null, time = null, parent_id: parentId = null, drawing = null } = request;
  return { text, x, y, time, parentId, drawing };
}

export function commentDto(comment: CommentView): CommentDto {
  return dtoOf(CommentDto, {
    ...comment,
    ...pinFields(comment),
    author: authorDto(comment.author),
    resolvedBy: comment.resolved && { user_id: comment.resolved.by.userId, name: comment.resolved.by.name },
  });
}

/** Where a comment is pinned, and when its thread was resolved. */
export function pinFields({ pin, resolved }: CommentView) {
  return {
    x: pin.kind === 'point' ? pin.x : null,
    y: pin.kind === 'point' ? pin.y : null,
    time: pin.kind === 'moment' ? pin.seconds : null,
    resolvedAt: resolved && resolved.at,
  };
}

export function decisionDto({ id, verdict, text, author, createdAt }: DecisionView): DecisionDto {
  return { id, decision: verdict, text, author: authorDto(author), created_at: createdAt };
}

function authorDto({ userId, name, guest }: Author): AuthorDto {
  return { user_id: userId, name, share_id: guest && guest.shareId };
}

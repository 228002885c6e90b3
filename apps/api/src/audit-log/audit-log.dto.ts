import { ApiExtraModels } from '@nestjs/swagger';
import {
  AUDIT_ACTIONS,
  AUDIT_TARGET_TYPES,
  AUDIT_VIAS,
  type AuditAction,
  type AuditEntry,
  type AuditFilter,
  type AuditTargetType,
  type AuditVia,
} from '#audit-log';
import { invalidField } from '#kernel';
import {
  ChoiceField,
  IntegerField,
  JsonField,
  ListField,
  ObjectField,
  ObjectOrWordField,
  PageResponse,
  TextField,
  TimeField,
} from '../http/index.ts';

export class AuditQuery {
  @TextField('Only what this user did, by id; or `operator` or `system`.', { example: '3', max: 20, required: false })
  actor?: string;

  @ChoiceField(AUDIT_ACTIONS, 'Only entries of this action.', { example: 'token.create', required: false })
  action?: AuditAction;

  @TextField('Only entries about this target: its type and id.', { example: 'board:7', max: 40, required: false })
  target?: string;

  @TextField('Only entries from this time on, in ISO 8601.', {
    example: '2026-11-01T00:00:00Z',
    max: 40,
    required: false,
  })
  after?: string;

  @TextField('Only entries before this time, in ISO 8601.', {
    example: '2026-12-01T00:00:00Z',
    max: 40,
    required: false,
  })
  before?: string;
}

/** @throws DomainError `validation_failed` */
export function auditFilterOf({ actor, action, target, after, before }: AuditQuery): AuditFilter {
  return {
    actor: actor === undefined ? undefined : actorOf(actor),
    action,
    target: target === undefined ? undefined : targetOf(target),
    after: after === undefined ? undefined : timeOf('after', after),
    before: before === undefined ? undefined : timeOf('before', before),
  };
}

function actorOf(text: string): number | 'operator' | 'system' {
  if (text === 'operator' || text === 'system') return text;
  return idOf(text) ?? refuse('actor', 'must be the id of a user, or `operator` or `system`');
}

function targetOf(text: string): NonNullable<AuditFilter['target']> {
  const [word, id = ''] = text.split(':');
  const type = AUDIT_TARGET_TYPES.find((each) => each === word);
  const number = idOf(id);
  if (!type || number === null) {
    return refuse('target', `must be a type and an id, such as board:7; types are ${AUDIT_TARGET_TYPES.join(', ')}`);
  }
  return { type, id: number };
}

function idOf(text: string): number | null {
  return /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : null;
}

const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d))?$/;

function timeOf(name: string, text: string): Date {
  const time = new Date(text);
  if (!ISO_TIME.test(text) || Number.isNaN(time.getTime())) refuse(name, 'must be a date, or a time with its zone');
  return time;
}

function refuse(name: string, problem: string): never {
  throw invalidField(name, problem);
}

export class AuditActorDto {
  @IntegerField('Identifier of the user.', { example: 3 }) user_id!: number;
  @TextField('E-mail of the user; null when the account is gone.', { example: 'ada@example.com', nullable: true })
  email!: string | null;
}

export class AuditTargetDto {
  @ChoiceField(AUDIT_TARGET_TYPES, 'Type of the target.', { example: 'board' }) type!: AuditTargetType;
  @IntegerField('Identifier of the target.', { example: 7 }) id!: number;
  @TextField('Name of the target at that time; for users and invitations the present e-mail; otherwise null.', {
    example: 'Moods',
    nullable: true,
  })
  name!: string | null;
}

@ApiExtraModels(AuditActorDto)
export class AuditEntryDto {
  @IntegerField('Identifier of the entry.', { example: 31 }) id!: number;
  @TimeField('When it was done.') at!: Date;
  @ObjectOrWordField(() => AuditActorDto, ['operator', 'system'], 'Who did it: a user, `operator`, or `system`.')
  actor!: AuditActorDto | 'operator' | 'system';

  @ChoiceField(AUDIT_VIAS, 'How: by an API token, in a session, or on the command line; null without any.', {
    example: 'session',
    nullable: true,
  })
  via!: AuditVia | null;

  @TextField('Name of the machine token of an operator; null for others.', { example: 'billing', nullable: true })
  via_name!: string | null;

  @ChoiceField(AUDIT_ACTIONS, 'What was done.', { example: 'board.delete' }) action!: AuditAction;
  @ObjectField(() => AuditTargetDto, 'To what it was done.') target!: AuditTargetDto;
  @JsonField('More about it, by action. Holds no secrets.', { example: {} }) details!: object;
  @TextField('IP address of the client, if there was one.', { example: '192.0.2.7', nullable: true })
  address!: string | null;
  @TextField('Identifier of the request, if there was one.', { nullable: true }) request_id!: string | null;
}

export class AuditResponse extends PageResponse {
  @ListField(() => AuditEntryDto, 'Entries, newest first.') entries!: AuditEntryDto[];
}

export function auditEntryDto(entry: AuditEntry): AuditEntryDto {
  const { id, at, actor, via, viaName, action, target, details, address } = entry;
  return {
    id,
    at,
    actor: actor.type === 'user' ? { user_id: actor.userId, email: actor.email } : actor.type,
    via,
    via_name: viaName,
    action,
    target,
    details,
    address,
    request_id: entry.requestId,
  };
}

import { MAX_NAME_LENGTH, MAX_TOKEN_DAYS, OPERATE_SCOPES, type OperateScope } from '#identity';
import { ChoicesField, IntegerField, ListField, PageResponse, TextField, TimeField } from '../http/index.ts';

const SCOPES_FIELD = 'What it may be used for: `operate.read` for every GET of this API, `operate` for all of it.';

export class CreateMachineTokenRequest {
  @TextField('Name, which the audit log shows.', { example: 'billing', max: MAX_NAME_LENGTH }) name!: string;

  @ChoicesField(OPERATE_SCOPES, SCOPES_FIELD, { example: ['operate'] }) scopes!: readonly OperateScope[];

  @IntegerField('Days after which the token expires. Default: it is valid until it is revoked.', {
    example: 365,
    min: 1,
    max: MAX_TOKEN_DAYS,
    required: false,
    nullable: true,
  })
  expires_in_days?: number | null;
}

/** A machine token without its secret. */
export class MachineTokenDto {
  @IntegerField('Identifier of the token, by which it is revoked.', { example: 3 }) id!: number;
  @TextField('Its name.', { example: 'billing' }) name!: string;
  @ChoicesField(OPERATE_SCOPES, SCOPES_FIELD, { example: ['operate'] }) scopes!: readonly OperateScope[];
  @TimeField('When it was created.') created_at!: Date;
  @TimeField('When it was last used, to the minute; null for never.', { nullable: true }) last_used_at!: Date | null;
  @TimeField('When it expires; null for never.', { nullable: true }) expires_at!: Date | null;
}

export class MachineTokensResponse extends PageResponse {
  @ListField(() => MachineTokenDto, 'Machine tokens, newest first.') tokens!: MachineTokenDto[];
}

export class NewMachineTokenResponse extends MachineTokenDto {
  @TextField('The token, for the header `Authorization: Bearer …`. It is shown only once.', {
    example: 'x12_operate_kL9v3cYpQ0mTz7wXb2sRj5uNf8hDg1aEoVi4yWqBxZM',
  })
  token!: string;
}

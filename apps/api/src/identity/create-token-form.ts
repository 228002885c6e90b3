import { MAX_NAME_LENGTH, MAX_TOKEN_DAYS } from '#identity';
import { IntegerField, TextField } from '../http/index.ts';

export class CreateTokenForm {
  @TextField({ description: 'What to call the token.', example: 'render farm', max: MAX_NAME_LENGTH })
  name!: string;

  @IntegerField({
    description: 'Days after which it stops working; without it, it works until it is revoked.',
    example: 365,
    min: 1,
    max: MAX_TOKEN_DAYS,
    required: false,
    nullable: true,
  })
  expires_in_days?: number | null;
}

import { MAX_NAME_LENGTH, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '#identity';
import { EmailField, TextField } from '../http/index.ts';

export class SignUpForm {
  @EmailField({
    description: 'E-mail address; upper and lower case are the same.',
    example: 'ada@example.com',
  })
  email!: string;

  @TextField({
    description: 'Password.',
    example: 'correct horse battery staple',
    min: MIN_PASSWORD_LENGTH,
    max: MAX_PASSWORD_LENGTH,
    format: 'password',
  })
  password!: string;

  @TextField({
    description: 'Name.',
    example: 'Ada',
    max: MAX_NAME_LENGTH,
    required: false,
    nullable: true,
  })
  name?: string | null;
}

import { EmailField, TextField } from '../http/index.ts';

export class LogInForm {
  @EmailField({ description: 'E-mail address of the account.', example: 'ada@example.com' })
  email!: string;

  @TextField({
    description: 'Password of the account.',
    example: 'correct horse battery staple',
    format: 'password',
  })
  password!: string;
}

import type { User } from '#identity';
import { IntegerField, TextField } from '../http/index.ts';

/** A user as the API shows them. */
export class UserView {
  @IntegerField({ description: 'Identifier of the user.', example: 7 })
  id!: number;

  @TextField({ description: 'E-mail address, in lower case.', example: 'ada@example.com' })
  email!: string;

  @TextField({ description: 'Name, if they gave one.', example: 'Ada', nullable: true })
  name!: string | null;
}

export function userView({ id, email, name }: User): UserView {
  return { id, email, name };
}

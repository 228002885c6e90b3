import type { Session } from '#identity';
import { IntegerField, ObjectField, TextField, TimeField } from '../http/index.ts';
import { UserView, userView } from './user-view.ts';

export class SessionAnswer {
  @ObjectField(() => UserView, { description: 'Who signed up or logged in.' })
  user!: UserView;

  @TextField({
    description: 'A new token, for the header `Authorization: Bearer …`. It is shown this once.',
    example: 'x12_kL9v3cYpQ0mTz7wXb2sRj5uNf8hDg1aEoVi4yWqBxZM',
  })
  token!: string;

  @IntegerField({ description: 'Identifier of the token: revoking it logs out.', example: 3 })
  token_id!: number;

  @TimeField({ description: 'When the token stops working; null for never.', nullable: true })
  token_expires_at!: Date | null;
}

export function sessionAnswer({ user, token }: Session): SessionAnswer {
  return {
    user: userView(user),
    token: token.secret,
    token_id: token.id,
    token_expires_at: token.expiresAt,
  };
}

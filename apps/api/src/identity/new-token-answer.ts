import type { IssuedToken } from '#identity';
import { TextField } from '../http/index.ts';
import { TokenView, tokenView } from './token-view.ts';

export class NewTokenAnswer extends TokenView {
  @TextField({
    description: 'The token itself, for the header `Authorization: Bearer …`. It is shown this once.',
    example: 'x12_kL9v3cYpQ0mTz7wXb2sRj5uNf8hDg1aEoVi4yWqBxZM',
  })
  token!: string;
}

export function newTokenAnswer(issued: IssuedToken): NewTokenAnswer {
  return { token: issued.secret, ...tokenView(issued) };
}

import { ListField, TextField } from '../http/index.ts';
import { TokenView } from './token-view.ts';

export class TokensAnswer {
  @ListField(() => TokenView, { description: "The caller's tokens, newest first." })
  tokens!: TokenView[];

  @TextField({ description: 'Where the next page starts; null on the last one.', nullable: true })
  next_cursor!: string | null;
}

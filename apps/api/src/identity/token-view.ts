import type { Token } from '#identity';
import { IntegerField, TextField, TimeField } from '../http/index.ts';

/** A token without its secret. */
export class TokenView {
  @IntegerField({ description: 'Identifier of the token, by which it is revoked.', example: 3 })
  id!: number;

  @TextField({ description: 'What its owner calls it.', example: 'render farm' })
  name!: string;

  @TimeField({ description: 'When it was made.' })
  created_at!: Date;

  @TimeField({ description: 'When it was last used, to the minute; null for never.', nullable: true })
  last_used_at!: Date | null;

  @TimeField({ description: 'When it stops working; null for never.', nullable: true })
  expires_at!: Date | null;
}

export function tokenView(token: Token): TokenView {
  return {
    id: token.id,
    name: token.name,
    created_at: token.createdAt,
    last_used_at: token.lastUsedAt,
    expires_at: token.expiresAt,
  };
}

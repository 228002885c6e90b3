import { Controller, Delete, Get, Inject, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CreateToken, ListTokens, RevokeToken, type Actor } from '#identity';
import type { PageRequest } from '#kernel';
import { Responds, CurrentActor, cursorOf, RequestBody, PageQuery, PathId } from '../http/index.ts';
import { CreateTokenForm } from './create-token-form.ts';
import { NewTokenAnswer, newTokenAnswer } from './new-token-answer.ts';
import { tokenView } from './token-view.ts';
import { TokensAnswer } from './tokens-answer.ts';

@ApiTags('Accounts')
@Controller('v2/auth/tokens')
export class TokensController {
  constructor(
    @Inject(ListTokens) private readonly listTokens: ListTokens,
    @Inject(CreateToken) private readonly createToken: CreateToken,
    @Inject(RevokeToken) private readonly revokeToken: RevokeToken,
  ) {}

  @Get()
  @Responds(200, TokensAnswer, {
    summary: "List the caller's tokens",
    description: 'Without their secrets. Expired ones are listed until the next token is made.',
    errors: ['validation_failed'],
  })
  async getTokens(@CurrentActor() actor: Actor, @PageQuery() page: PageRequest): Promise<TokensAnswer> {
    const { items, next } = await this.listTokens.run(actor, page);
    return { tokens: items.map(tokenView), next_cursor: cursorOf(next) };
  }

  @Post()
  @Responds(201, NewTokenAnswer, { summary: 'Make a token', errors: ['validation_failed'] })
  async postToken(
    @CurrentActor() actor: Actor,
    @RequestBody() form: CreateTokenForm,
  ): Promise<NewTokenAnswer> {
    const token = await this.createToken.run({
      userId: actor.userId,
      name: form.name,
      expiresInDays: form.expires_in_days ?? null,
    });
    return newTokenAnswer(token);
  }

  @Delete(':id')
  @Responds(200, null, {
    summary: 'Revoke a token',
    description: 'It stops working at once. A caller may revoke the very token they call with.',
    errors: ['validation_failed', 'not_found'],
  })
  async deleteToken(@CurrentActor() actor: Actor, @PathId('id') tokenId: number): Promise<void> {
    await this.revokeToken.run(actor, tokenId);
  }
}

import { Controller, Delete, Get, Inject, Module, Put } from '@nestjs/common';
import type { Settings } from '#config';
import type { Actor } from '#identity';
import type { PageRequest } from '#kernel';
import { Shares } from '#sharing';
import { settings, SharingModule } from '#wiring';
import {
  CurrentActor,
  ExistenceChecks,
  Existing,
  listOf,
  May,
  PageQuery,
  PathId,
  Post,
  RequestBody,
  RequestQuery,
  Responds,
} from '../http/index.ts';
import { GuestCookie } from './guest-cookie.ts';
import { GuestGuard } from './guest-guard.ts';
import { GuessLimit } from './guess-limit.ts';
import { SharedReviewController } from './shared-review.controller.ts';
import { SharedController } from './shared.controller.ts';
import {
  CreateShareRequest,
  NewShareResponse,
  shareDto,
  sharedItemsOf,
  shareRequestOf,
  ShareResponse,
  SharesQuery,
  SharesResponse,
  UpdateShareRequest,
} from './share.dto.ts';

@Controller('v2/shares')
export class SharesController {
  readonly #publicUrl: string;

  constructor(
    @Inject(Shares) private readonly shares: Shares,
    @Inject(settings) { http }: Settings,
    @Inject(ExistenceChecks) checks: ExistenceChecks,
  ) {
    this.#publicUrl = http.publicUrl;
    checks.register('share', async (actor, id) => {
      await shares.get(actor, id);
      return true;
    });
  }

  @Get()
  @Responds(200, SharesResponse, {
    id: 'shares.list',
    summary: 'List share links',
    description:
      'Lists the links that the caller may change, newest first: admins and the owner all of the workspace, members their ' +
      'own. Returns each with who opened it, without its URL.',
  })
  async getShares(
    @CurrentActor() actor: Actor,
    @RequestQuery() { board_id }: SharesQuery,
    @PageQuery() page: PageRequest,
  ) {
    return listOf('shares', await this.shares.list(actor, board_id ?? null, page), shareDto);
  }

  @Post()
  @May('share.create')
  @Responds(201, NewShareResponse, {
    id: 'shares.create',
    summary: 'Make a share link',
    description:
      'Makes a link with which people without an account see exactly one of: a board, a folder, media items; always as they ' +
      'are now. Returns the share with its URL, which is shown only once.',
    errors: ['not_found'],
  })
  async postShare(@CurrentActor() actor: Actor, @RequestBody() body: CreateShareRequest) {
    const request = { allow: [], ...shareRequestOf(body) };
    const { id, secret } = await this.shares.create(actor, sharedItemsOf(body), request);
    const share = shareDto(await this.shares.get(actor, id));
    return { share: { ...share, url: `${this.#publicUrl}/s/${secret}` } };
  }

  @Get(':id')
  @Existing('share', 'id')
  @Responds(200, ShareResponse, {
    id: 'shares.get',
    summary: 'Read a share link',
    description: 'Reads one share. Returns the share with who opened it, without its URL.',
    errors: ['forbidden'],
  })
  async getShare(@CurrentActor() actor: Actor, @PathId('id') id: number) {
    return { share: shareDto(await this.shares.get(actor, id)) };
  }

  @Put(':id')
  @Existing('share', 'id')
  @Responds(200, ShareResponse, {
    id: 'shares.update',
    summary: 'Change a share link',
    description:
      'Changes the given fields of a share: by its creator, an admin or the owner. Returns the share. With another password ' +
      'all guests must enter again.',
  })
  async putShare(@CurrentActor() actor: Actor, @PathId('id') id: number, @RequestBody() body: UpdateShareRequest) {
    await this.shares.update(actor, id, shareRequestOf(body));
    return { share: shareDto(await this.shares.get(actor, id)) };
  }

  @Delete(':id')
  @Existing('share', 'id')
  @Responds(200, null, {
    id: 'shares.delete',
    summary: 'Switch off a share link',
    description:
      'Deletes a share: by its creator, an admin or the owner. Returns only `status`. The link ends at once, also while ' +
      'guests look; comments of guests stay.',
  })
  deleteShare(@CurrentActor() actor: Actor, @PathId('id') id: number) {
    return this.shares.delete(actor, id);
  }
}

@Module({
  imports: [SharingModule],
  controllers: [SharesController, SharedController, SharedReviewController],
  providers: [GuestCookie, GuestGuard, GuessLimit],
})
export class SharingApiModule {}

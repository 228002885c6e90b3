import { Controller, Get, Inject, Module, Put } from '@nestjs/common';
import type { IssuedUrls } from '#files';
import type { Actor } from '#identity';
import { Inbox, INBOX_KINDS, type InboxViews } from '#inbox';
import type { PageRequest } from '#kernel';
import { InboxModule, inboxViews, StorageModule } from '#wiring';
import {
  CurrentActor,
  listOf,
  PageQuery,
  Post,
  RequestBody,
  RequestQuery,
  Responds,
  CurrentUrls,
} from '../http/index.ts';
import {
  inboxEntryDto,
  InboxQuery,
  InboxResponse,
  InboxSettingsRequest,
  InboxSettingsResponse,
  markedEntriesOf,
  MarkReadRequest,
  MarkReadResponse,
} from './inbox.dto.ts';

@Controller('v2/inbox')
export class InboxController {
  constructor(
    @Inject(inboxViews) private readonly views: InboxViews,
    @Inject(Inbox) private readonly inbox: Inbox,
  ) {}

  @Get()
  @Responds(200, InboxResponse, {
    id: 'inbox.list',
    summary: 'List the entries of the inbox',
    description:
      'Lists what the caller heard of in the workspace in the last 30 days: mentions, comments on their items and in their ' +
      'threads, decisions about their items, openings of their links, batches and styles of theirs that have ended, and ' +
      'models they used that end. Returns a page, newest first, without what was deleted, and the number of unread entries.',
  })
  async getInbox(
    @CurrentActor() actor: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PageQuery() page: PageRequest,
    @RequestQuery() { kinds = [...INBOX_KINDS], unread: isUnread = false, open: isOpen = false }: InboxQuery,
  ) {
    const entries = await this.views.entries(actor, { kinds, isUnread, isOpen }, page);
    const unread = await this.views.unread(actor);
    return { ...listOf('items', entries, (entry) => inboxEntryDto(entry, urls)), unread };
  }

  @Post('read')
  @Responds(200, MarkReadResponse, {
    id: 'inbox.markRead',
    summary: 'Mark entries as read',
    description:
      'Marks entries as read, by id or all. Returns the number of entries that are still unread. What is read is not mailed.',
  })
  async postRead(@CurrentActor() actor: Actor, @RequestBody() body: MarkReadRequest) {
    await this.inbox.markRead(actor, markedEntriesOf(body));
    return { unread: await this.views.unread(actor) };
  }

  @Get('settings')
  @Responds(200, InboxSettingsResponse, {
    id: 'inbox.settings.get',
    summary: 'Show which entries are mailed',
    description: 'Shows for each kind of entry when the caller gets mails about them. Returns the settings.',
  })
  async getSettings(@CurrentActor() actor: Actor) {
    return { settings: await this.inbox.mailSettings(actor) };
  }

  @Put('settings')
  @Responds(200, InboxSettingsResponse, {
    id: 'inbox.settings.update',
    summary: 'Choose which entries are mailed',
    description:
      'Chooses for each kind of entry when it is mailed to the caller, in all workspaces; absent kinds stay as they are. ' +
      'Returns the settings.',
  })
  async putSettings(@CurrentActor() actor: Actor, @RequestBody() body: InboxSettingsRequest) {
    return { settings: await this.inbox.changeMailSettings(actor, body) };
  }
}

@Module({ imports: [InboxModule, StorageModule], controllers: [InboxController] })
export class InboxApiModule {}

import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EventWatch, shownEvent, type EventViews } from '#events';
import { WorkspaceUrls, type IssuedUrls } from '#files';
import type { Actor } from '#identity';
import { eventViews } from '#wiring';
import { CurrentActor, RequestQuery, Responds, CurrentUrls } from '../http/index.ts';
import { EventStreams } from '../streams/event-streams.ts';
import { eventFilter, EventsListQuery, EventsResponse, FollowQuery } from './events.dto.ts';

const DEFAULT_LIMIT = 50;

@Controller('v2/events')
export class EventsController {
  constructor(
    @Inject(eventViews) private readonly views: EventViews,
    @Inject(EventWatch) private readonly watch: EventWatch,
    @Inject(EventStreams) private readonly streams: EventStreams,
    @Inject(WorkspaceUrls) private readonly urls: WorkspaceUrls,
  ) {}

  @Get()
  @Responds(200, EventsResponse, {
    id: 'events.list',
    summary: 'List events',
    description:
      'Lists what happened in the workspace in the last 30 days. Returns the events after the number `after`, oldest ' +
      'first: a consumer that sends the number of the last event that it has handled misses none. Events about ' +
      'members, credits and links are only for admins and the owner; others get lists without them.',
    errors: ['forbidden'],
  })
  async getEvents(
    @CurrentActor() actor: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @RequestQuery() query: EventsListQuery,
  ) {
    const { after, before, order, limit = DEFAULT_LIMIT } = query;
    const range = { after, before, isNewestFirst: order === 'newest', limit };
    const events = await this.views.list(actor.workspaceId, range, eventFilter(query, actor));
    return { events: events.map((event) => shownEvent(event, urls)) };
  }

  @Get('stream')
  @Responds(200, null, {
    id: 'events.follow',
    summary: 'Follow events',
    description:
      'Follows what happens in the workspace. Returns a stream of server-sent events, each named by its type, with the ' +
      'event as `GET /v2/events` lists it and its number as id: a client that opens the stream again with that in ' +
      '`Last-Event-ID` misses none. The stream ends when the token is revoked or expires, when it acts in another ' +
      'workspace, and when the role of its user is lowered. It shares the limit of open streams with that of ' +
      '`GET /v2/generations/:id/events`.',
    contentType: 'text/event-stream',
  })
  async getStream(
    @CurrentActor() actor: Actor,
    @RequestQuery() query: FollowQuery,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    const after = lastEventId(request.headers['last-event-id']) ?? query.after ?? null;
    const filter = eventFilter(query, actor);
    const follow = (stop: AbortSignal) => this.watch.follow(actor.workspaceId, filter, after, stop);
    await this.streams.send(actor, response, follow, async (event) => {
      const urls = await this.urls.of(actor.workspaceId);
      return { name: event.type, id: event.number, data: shownEvent(event, urls) };
    });
  }
}

/** `null` for what can't be a number of an event. */
function lastEventId(header: string | string[] | undefined): number | null {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : null;
}

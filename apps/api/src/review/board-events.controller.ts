import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Actor } from '#identity';
import { BoardWatch, type BoardEvent } from '#review';
import { CurrentActor, PathId, Responds } from '../http/index.ts';
import { EventStreams } from '../streams/event-streams.ts';
import type { ServerSentEvent } from '../streams/event-stream.ts';

@Controller(['boards/:id/events', 'v2/boards/:id/events'])
export class BoardEventsController {
  constructor(
    @Inject(BoardWatch) private readonly watch: BoardWatch,
    @Inject(EventStreams) private readonly streams: EventStreams,
  ) {}

  @Get()
  @Responds(200, null, {
    id: 'boards.follow',
    summary: 'Follow a board',
    description:
      'Follows a board while somebody looks at it. Returns a stream of server-sent events: `changed` with `{"version"}` ' +
      'at first and after each change; then, where a comment or a decision was the change, `comment` or `decision` with ' +
      '`{"version", "media_id"}`; and `presence` with `{"people": [{"user_id", "name"}]}`, the members who look at the ' +
      'board now, the caller among them. Read the board again after `changed`, with its `ETag`. Changes that follow ' +
      'each other quickly may come as one event. The id of each event is the version: a client that opens the stream ' +
      'again with it in `Last-Event-ID` gets `changed` at first only if the board has changed since; comments and ' +
      'decisions of that time have no events of their own. Who looks may be wrong for half a minute after a process of ' +
      'the service was killed. The stream ends when the board is deleted, when the token is revoked or expires, or when ' +
      'it acts in another workspace. It shares the limit of open streams with that of `GET /v2/generations/:id/events`.',
    contentType: 'text/event-stream',
  })
  async getEvents(
    @CurrentActor() actor: Actor,
    @PathId('id') id: number,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    const known = versionOf(request.headers['last-event-id']);
    await this.streams.send(actor, response, (stop) => this.watch.follow(actor, id, known, stop), sentAs);
  }
}

/** `null` for what can't be a version. */
function versionOf(eventId: string | string[] | undefined): number | null {
  return typeof eventId === 'string' && /^\d{1,15}$/.test(eventId) ? Number(eventId) : null;
}

function sentAs(event: BoardEvent): ServerSentEvent {
  if (event.name === 'presence') {
    const people = event.people.map(({ userId, name }) => ({ user_id: userId, name }));
    return { name: event.name, data: { people } };
  }
  const { name, version } = event;
  return { name, id: version, data: name === 'changed' ? { version } : { version, media_id: event.mediaId } };
}

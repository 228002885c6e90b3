import { Controller, Delete, Get, Inject, Module, Put, Req, Res, type OnModuleInit } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { Boards, type BoardViews } from '#board';
import { StoredUrls, type IssuedUrls } from '#files';
import { customerFilterFor, type Actor } from '#identity';
import { notFound, type PageRequest } from '#kernel';
import { BoardModule, boardViews, ReviewModule } from '#wiring';
import {
  CurrentActor,
  CurrentUrls,
  customDataOf,
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
import {
  boardDto,
  BoardResponse,
  BoardsQuery,
  BoardsResponse,
  CreateBoardRequest,
  DeletedResponse,
  deletedResponse,
  UpdateBoardRequest,
  WholeBoardResponse,
} from './board.dto.ts';
import { FoldersController } from './folders.controller.ts';
import { MediaController } from './media.controller.ts';
import { NotesController } from './notes.controller.ts';
import { renderBoard } from './render-board.ts';
import { type Encoding, ENCODINGS, RenderedBoards, type RenderedBoard } from './rendered-boards.ts';
import { ShownMedia } from './shown-media.ts';

@Controller(['boards', 'v2/boards'])
export class BoardsController {
  readonly #rendered = new RenderedBoards();
  /** Differs between public addresses: a response cached before a change of `PUBLIC_URL` is invalid. */
  readonly #etagSuffix: string;

  constructor(
    @Inject(boardViews) private readonly views: BoardViews,
    @Inject(Boards) private readonly boards: Boards,
    @Inject(ShownMedia) private readonly shown: ShownMedia,
    @Inject(StoredUrls) urls: StoredUrls,
  ) {
    this.#etagSuffix = createHash('sha256').update(urls.start).digest('hex').slice(0, 8);
  }

  @Get()
  @Responds(200, BoardsResponse, {
    id: 'boards.list',
    summary: 'List boards',
    description:
      'Lists the boards of the workspace, newest first. Returns each with the number of its folders and media.',
    errors: ['forbidden'],
  })
  async getBoards(
    @CurrentActor() actor: Actor,
    @RequestQuery() { q, customer }: BoardsQuery,
    @PageQuery({ whole: true }) page: PageRequest,
  ) {
    const only = { search: q, customer: customerFilterFor(actor, customer) };
    return listOf('boards', await this.views.boards(actor.workspaceId, page, only), boardDto);
  }

  @Post()
  @Responds(201, BoardResponse, {
    id: 'boards.create',
    summary: 'Create a board',
    description: 'Creates an empty board in the workspace. Returns the board.',
  })
  async postBoard(@CurrentActor() actor: Actor, @RequestBody() body: CreateBoardRequest) {
    return { board: boardDto(await this.boards.create(actor, body.name, customDataOf(body))) };
  }

  @Get(':id')
  @Responds(200, WholeBoardResponse, {
    id: 'boards.get',
    summary: 'A board with its folders and media',
    description:
      'Reads one board. Returns the board with all its folders and media, and an `ETag`. A request with this ' +
      '`ETag` in `If-None-Match` gets 304 while the board is unchanged.',
    also: { 304: [] },
    contentType: 'application/json',
  })
  async getBoard(
    @CurrentActor() { workspaceId }: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('id') boardId: number,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    const clients = this.#versionIn(boardId, urls, request.headers['if-none-match']);
    const kept = this.#rendered.find(boardId, urls.version);
    const version = clients !== undefined || kept ? await this.views.version(workspaceId, boardId) : undefined;
    if (version === null) throw notFound('board');
    if (version !== undefined && version === clients) {
      this.#setHeaders(response, boardId, version, urls);
      return void response.status(304).end();
    }
    const rendered = kept && kept.version === version ? kept : await this.#render(workspaceId, boardId, urls);
    this.#setHeaders(response, boardId, rendered.version, urls);
    const encoding = request.acceptsEncodings(...ENCODINGS) as Encoding | false;
    const compressed = encoding && (await this.#rendered.compressed(boardId, rendered, encoding));
    if (compressed) response.setHeader('Content-Encoding', encoding);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.end(compressed || rendered.body);
  }

  @Put(':id')
  @May('board.update')
  @Existing('board', 'id')
  @Responds(200, BoardResponse, {
    id: 'boards.update',
    summary: 'Change a board',
    description: 'Changes the given fields of a board. Returns the board. Absent fields keep their values.',
  })
  async putBoard(@CurrentActor() actor: Actor, @PathId('id') boardId: number, @RequestBody() body: UpdateBoardRequest) {
    return { board: boardDto(await this.boards.update(actor, boardId, body)) };
  }

  @Delete(':id')
  @May('board.delete')
  @Existing('board', 'id')
  @Responds(200, DeletedResponse, {
    id: 'boards.delete',
    summary: 'Delete a board with everything on it',
    description:
      'Deletes a board with its folders and media. Returns how many of them were deleted. The board is hidden at ' +
      'once; admins and the owner can restore it from the trash.',
  })
  async deleteBoardById(@CurrentActor() actor: Actor, @PathId('id') boardId: number) {
    return deletedResponse(await this.boards.delete(actor, boardId));
  }

  async #render(workspaceId: number, boardId: number, urls: IssuedUrls): Promise<RenderedBoard> {
    const board = await this.views.board(workspaceId, boardId);
    if (!board) throw notFound('board');
    const shown = await this.shown.of(board.media, urls);
    return this.#rendered.keep(boardId, board.version, await renderBoard(board, shown), urls.version);
  }

  #setHeaders(response: Response, boardId: number, version: number, urls: IssuedUrls): void {
    const headers = {
      ETag: `"${boardId}-${version}-${this.#etagSuffix}${urls.version}"`,
      'Cache-Control': 'private, no-cache',
      Vary: 'Accept-Encoding',
    };
    response.setHeaders(new Map(Object.entries(headers)));
  }

  /** The version in the ETag of this board with these URLs. Other ETags and weak prefixes are ignored. */
  #versionIn(boardId: number, urls: IssuedUrls, ifNoneMatch: string | undefined): number | undefined {
    const etag = new RegExp(`"${boardId}-([0-9]{1,15})-${this.#etagSuffix}${urls.version}"`);
    const version = ifNoneMatch?.match(etag)?.[1];
    return version === undefined ? undefined : Number(version);
  }
}

@Module({
  imports: [BoardModule, ReviewModule],
  controllers: [BoardsController, FoldersController, MediaController, NotesController],
  providers: [ShownMedia],
})
export class BoardApiModule implements OnModuleInit {
  constructor(
    @Inject(ExistenceChecks) private readonly checks: ExistenceChecks,
    @Inject(boardViews) private readonly views: BoardViews,
  ) {}

  onModuleInit(): void {
    for (const kind of ['board', 'folder', 'media', 'note'] as const) {
      this.checks.register(kind, ({ workspaceId }, id) => this.views.exists(kind, workspaceId, id));
    }
  }
}

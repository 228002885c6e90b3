import { Controller, Delete, Get, Headers, Inject, Post, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CreateBoard, DeleteBoard, UpdateBoard, type BoardViews } from '#board';
import type { Actor } from '#identity';
import { notFound, type PageRequest } from '#kernel';
import { boardViews } from '#wiring';
import {
  Responds,
  CurrentActor,
  Existing,
  RequestBody,
  JsonText,
  May,
  PageQuery,
  PathId,
} from '../http/index.ts';
import {
  BoardAnswer,
  boardAnswer,
  BoardsAnswer,
  DeletedAnswer,
  deletedAnswer,
  pageAnswer,
  WholeBoardAnswer,
} from './board-answers.ts';
import { CreateBoardForm, UpdateBoardForm } from './board-forms.ts';

@ApiTags('Boards')
@Controller(['boards', 'v2/boards'])
export class BoardsController {
  constructor(
    @Inject(boardViews) private readonly views: BoardViews,
    @Inject(CreateBoard) private readonly createBoard: CreateBoard,
    @Inject(UpdateBoard) private readonly updateBoard: UpdateBoard,
    @Inject(DeleteBoard) private readonly deleteBoard: DeleteBoard,
  ) {}

  @Get()
  @Responds(200, BoardsAnswer, { summary: 'List boards', errors: ['validation_failed'] })
  async getBoards(
    @CurrentActor() actor: Actor,
    @PageQuery({ whole: true }) page: PageRequest,
  ): Promise<JsonText> {
    return pageAnswer(await this.views.boards(actor.workspaceId, page));
  }

  @Post()
  @Responds(201, BoardAnswer, { summary: 'Make a board', errors: ['validation_failed'] })
  async postBoard(@CurrentActor() actor: Actor, @RequestBody() form: CreateBoardForm): Promise<BoardAnswer> {
    return boardAnswer(await this.createBoard.run(actor, form.name));
  }

  @Get(':id')
  @Responds(200, WholeBoardAnswer, {
    summary: 'A board with its folders and media',
    description: 'Answers an `ETag`; with it in `If-None-Match`, an unchanged board is answered with 304.',
    errors: ['validation_failed', 'not_found'],
  })
  async getBoard(
    @CurrentActor() actor: Actor,
    @PathId('id') boardId: number,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<JsonText | undefined> {
    const board = await this.views.board(actor.workspaceId, boardId, knownVersion(boardId, known));
    if (!board) throw notFound('board');
    response.setHeader('ETag', etagOf(boardId, board.version));
    response.setHeader('Cache-Control', 'private, no-cache');
    if (board.json !== null) return new JsonText(board.json);
    response.status(304);
    return undefined;
  }

  @Put(':id')
  @May('board.update')
  @Existing('board', 'id')
  @Responds(200, BoardAnswer, {
    summary: 'Rename a board',
    errors: ['validation_failed', 'not_found'],
  })
  async putBoard(
    @CurrentActor() actor: Actor,
    @PathId('id') boardId: number,
    @RequestBody() form: UpdateBoardForm,
  ): Promise<BoardAnswer> {
    return boardAnswer(await this.updateBoard.run(actor, boardId, form));
  }

  @Delete(':id')
  @May('board.delete')
  @Existing('board', 'id')
  @Responds(200, DeletedAnswer, {
    summary: 'Delete a board with everything on it',
    description: 'Gone at once; stored files that nothing else uses are deleted soon after.',
    errors: ['validation_failed', 'not_found'],
  })
  async deleteBoardById(@CurrentActor() actor: Actor, @PathId('id') boardId: number): Promise<DeletedAnswer> {
    return deletedAnswer(await this.deleteBoard.run(actor, boardId));
  }
}

function etagOf(boardId: number, version: number): string {
  return `"${boardId}-${version}"`;
}

/** The version that one of the given ETags names; those of other boards, and weak marks, don't matter. */
function knownVersion(boardId: number, ifNoneMatch: string | undefined): number | null {
  const version = ifNoneMatch?.match(new RegExp(`"${boardId}-([0-9]{1,15})"`))?.[1];
  return version === undefined ? null : Number(version);
}

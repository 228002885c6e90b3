import { Controller, Delete, Inject, Put } from '@nestjs/common';
import { Notes } from '#board';
import type { Actor } from '#identity';
import { CurrentActor, Existing, PathId, Post, RequestBody, Responds } from '../http/index.ts';
import { afterOf, CreateNoteRequest, noteDto, NoteResponse, UpdateNoteRequest } from './board.dto.ts';

@Controller(['boards/:board_id/notes', 'v2/boards/:board_id/notes'])
export class NotesController {
  constructor(@Inject(Notes) private readonly notes: Notes) {}

  @Post()
  @Existing('board', 'board_id')
  @Responds(201, NoteResponse, {
    id: 'boards.notes.create',
    summary: 'Add a note',
    description: 'Adds a text to a board, between the media items of a folder. Returns the note.',
  })
  async postNote(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @RequestBody() body: CreateNoteRequest,
  ) {
    const request = { text: body.text, folderId: body.folder_id, ...afterOf(body) };
    return { note: noteDto(await this.notes.create(actor, boardId, request)) };
  }

  @Put(':id')
  @Existing('board', 'board_id')
  @Existing('note', 'id')
  @Responds(200, NoteResponse, {
    id: 'boards.notes.update',
    summary: 'Change or move a note',
    description:
      'Changes the text of a note, its folder or its place. Returns the note. Absent fields keep their values; in another ' +
      'folder it comes first.',
  })
  async putNote(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @PathId('id') noteId: number,
    @RequestBody() body: UpdateNoteRequest,
  ) {
    const change = { text: body.text, folderId: body.folder_id, ...afterOf(body) };
    return { note: noteDto(await this.notes.update(actor, boardId, noteId, change)) };
  }

  @Delete(':id')
  @Existing('board', 'board_id')
  @Existing('note', 'id')
  @Responds(200, null, {
    id: 'boards.notes.delete',
    summary: 'Delete a note',
    description: 'Deletes a note for good. Returns only `status`.',
  })
  deleteNote(@CurrentActor() actor: Actor, @PathId('board_id') boardId: number, @PathId('id') noteId: number) {
    return this.notes.delete(actor, boardId, noteId);
  }
}

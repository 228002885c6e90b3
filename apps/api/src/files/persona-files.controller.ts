import { Controller, Get, Inject } from '@nestjs/common';
import type { FileRecords, IssuedUrls } from '#files';
import type { Actor } from '#identity';
import { notFound, type Clock, type PageRequest } from '#kernel';
import { clock, fileRecords } from '#wiring';
import {
  CurrentActor,
  cursorOf,
  Existing,
  PageQuery,
  PathId,
  RequestQuery,
  Responds,
  CurrentUrls,
} from '../http/index.ts';
import { personaFileDto, PersonaFilesQuery, PersonaFilesResponse } from './files.dto.ts';

@Controller('v2/personas/:persona_id/files')
export class PersonaFilesController {
  constructor(
    @Inject(fileRecords) private readonly files: FileRecords,
    @Inject(clock) private readonly clock: Clock,
  ) {}

  @Get()
  @Existing('persona', 'persona_id')
  @Responds(200, PersonaFilesResponse, {
    id: 'personas.files.list',
    summary: 'List the files of a persona',
    description:
      'Lists the uploads and outputs that the persona keeps, newest first. Returns the URL, size and type of ' +
      'each.',
  })
  async getFiles(
    @CurrentActor() { workspaceId }: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('persona_id') personaId: number,
    @RequestQuery() { temporary }: PersonaFilesQuery,
    @PageQuery() request: PageRequest,
  ) {
    const page = await this.files.list(workspaceId, personaId, request, this.clock.now(), temporary);
    if (!page) throw notFound('persona');
    return { files: page.items.map((file) => personaFileDto(file, urls)), next_cursor: cursorOf(page.next) };
  }
}

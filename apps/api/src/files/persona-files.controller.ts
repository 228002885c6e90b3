import { Controller, Get, Inject } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#identity';
import type { PageRequest } from '#kernel';
import { ListPersonaFiles } from '#files';
import { Responds, CurrentActor, cursorOf, Existing, PageQuery, PathId } from '../http/index.ts';
import { personaFileView } from './persona-file-view.ts';
import { PersonaFilesAnswer } from './persona-files-answer.ts';

@ApiTags('Personas')
@Controller('v2/personas/:persona_id/files')
export class PersonaFilesController {
  constructor(@Inject(ListPersonaFiles) private readonly listPersonaFiles: ListPersonaFiles) {}

  @Get()
  @Existing('persona', 'persona_id')
  @Responds(200, PersonaFilesAnswer, {
    summary: 'List the files of a persona',
    errors: ['validation_failed', 'not_found'],
  })
  async getFiles(
    @CurrentActor() actor: Actor,
    @PathId('persona_id') personaId: number,
    @PageQuery() page: PageRequest,
  ): Promise<PersonaFilesAnswer> {
    const { items, next } = await this.listPersonaFiles.run(actor, personaId, page);
    return { files: items.map(personaFileView), next_cursor: cursorOf(next) };
  }
}

import { ListField, TextField } from '../http/index.ts';
import { PersonaFileView } from './persona-file-view.ts';

export class PersonaFilesAnswer {
  @ListField(() => PersonaFileView, { description: 'Files of the persona, newest first.' })
  files!: PersonaFileView[];

  @TextField({ description: 'Where the next page starts; null on the last one.', nullable: true })
  next_cursor!: string | null;
}

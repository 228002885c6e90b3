import { ListField, TextField } from '../http/index.ts';
import { PersonaSummaryView } from './persona-view.ts';

export class PersonasAnswer {
  @ListField(() => PersonaSummaryView, { description: 'Personas of the workspace, newest first.' })
  personas!: PersonaSummaryView[];

  @TextField({ description: 'Where the next page starts; null on the last one.', nullable: true })
  next_cursor!: string | null;
}

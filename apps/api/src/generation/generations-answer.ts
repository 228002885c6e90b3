import { ListField, TextField } from '../http/index.ts';
import { GenerationView } from './generation-view.ts';

export class GenerationsAnswer {
  @ListField(() => GenerationView, { description: 'Generations of the workspace, newest first.' })
  generations!: GenerationView[];

  @TextField({ description: 'Where the next page starts; null on the last one.', nullable: true })
  next_cursor!: string | null;
}

import { ChoiceField, IntegerField, ListField, TextField } from '../http/index.ts';

export class DependencyResponse {
  @TextField({ description: 'What it is.', example: 'database' })
  name!: string;

  @ChoiceField(['up', 'down'], { description: 'Whether it can serve.', example: 'up' })
  state!: 'up' | 'down';

  @IntegerField({ description: 'How long the check took, in milliseconds.', example: 1, min: 0 })
  latency_ms!: number;
}

export class ReadyResponse {
  @ListField(() => DependencyResponse, { description: 'Everything that the service depends on.' })
  checks!: DependencyResponse[];
}

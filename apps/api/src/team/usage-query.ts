import { TextField } from '../http/index.ts';

export class UsageQuery {
  @TextField({
    description: 'Month that is asked about; the current one where it is left out.',
    example: '2026-10',
    pattern: /^\d{4}-\d{2}$/,
    patternMeans: 'a month such as 2026-10',
    required: false,
  })
  month?: string;
}

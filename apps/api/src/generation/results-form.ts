import { TextField } from '../http/index.ts';

export class ResultsForm {
  @TextField({
    description: 'As `POST /v2/generate` answered it.',
    example: 'gen_12',
    pattern: /^gen_[1-9][0-9]{0,14}$/,
    patternMeans: 'a processing_url that generate has answered',
  })
  processing_url!: string;
}

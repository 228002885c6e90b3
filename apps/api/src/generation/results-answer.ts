import type { GenerationView } from '#generation';
import { BooleanField, ObjectField, TextField, UrlOrUrlsField } from '../http/index.ts';
import { processingUrlOf } from './processing-url.ts';
import { ProgressView, progressView } from './progress-view.ts';

export class ResultsAnswer {
  @BooleanField({ description: 'True until the generation ends.', example: false })
  processing!: boolean;

  @TextField({ description: 'What was asked for.', example: 'gen_12' })
  processing_url!: string;

  @ObjectField(() => ProgressView, { description: 'How far it is.' })
  progress!: ProgressView;

  @UrlOrUrlsField({
    description: 'Once it succeeded: the URL of the output, or all URLs when there are several.',
    required: false,
  })
  output?: string | readonly string[];

  @TextField({
    description: 'Once it failed or was canceled: why there is no output.',
    example: 'the image could not be fetched',
    required: false,
  })
  error?: string;
}

export function resultsAnswer(generation: GenerationView): ResultsAnswer {
  return {
    processing: generation.state === 'queued' || generation.state === 'running',
    processing_url: processingUrlOf(generation.id),
    progress: progressView(generation),
    ...ending(generation),
  };
}

function ending({ state, outputs, error }: GenerationView): Pick<ResultsAnswer, 'output' | 'error'> {
  switch (state) {
    case 'queued':
    case 'running':
      return {};
    case 'succeeded': {
      const urls = outputs.map(({ url }) => url);
      return { output: urls.length === 1 ? urls[0]! : urls };
    }
    case 'failed':
      return { error: error!.message };
    case 'canceled':
      return { error: 'the generation was canceled' };
  }
}

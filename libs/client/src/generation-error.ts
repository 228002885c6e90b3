import type { GenerationResponse } from './generated/index.ts';

/** A generation that failed or was canceled. Its credits were released. */
export class GenerationError extends Error {
  override readonly name = 'GenerationError';
  /** The reason, such as `content_rejected`; `canceled` for a canceled generation. */
  readonly code: string;
  readonly generation: GenerationResponse;

  constructor(generation: GenerationResponse) {
    super(generation.error?.message ?? 'the generation was canceled');
    this.code = generation.error?.code ?? generation.state;
    this.generation = generation;
  }
}

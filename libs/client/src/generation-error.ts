import type { GenerationResponse } from './generated/index.ts';

/** A generation that did not succeed. Its credits came back. */
export class GenerationError extends Error {
  override readonly name = 'GenerationError';
  /** Why, such as `content_rejected`; `canceled` if someone canceled it. */
  readonly code: string;
  readonly generation: GenerationResponse;

  constructor(generation: GenerationResponse) {
    super(generation.error?.message ?? 'the generation was canceled');
    this.code = generation.error?.code ?? generation.state;
    this.generation = generation;
  }
}

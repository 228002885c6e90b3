import type { InputName } from '#catalogue';
import { DomainError, notFound } from '#kernel';
import { MAX_PIXELS, type SourceFailure, type SourceFailureCode } from '#sources';
import type { GenerationError } from './domain/generation.ts';
import type { InputPlace } from './domain/input-set.ts';
import { ProviderFailure } from './ports.ts';

const PROBLEMS = {
  url_blocked: 'is at an address that is not allowed',
  url_unreachable: 'could not be fetched',
  url_too_large: 'is too large',
  url_timeout: 'did not arrive in time',
  picture_too_large: `has too many pixels: it may have at most ${MAX_PIXELS / 1e6} megapixels`,
  not_an_image: 'is not a picture that can be read',
} as const satisfies Record<SourceFailureCode, string>;

const TITLES = {
  image: 'image',
  style: 'style reference',
  mask: 'mask',
  control: 'control image',
  references: 'reference',
  pictures: 'picture',
} as const satisfies Record<InputName, string>;

/** Inputs of several pictures. */
const LISTS: readonly InputName[] = ['references', 'pictures'];

/** An input picture is unusable. */
export class InputFailure extends Error {
  override readonly name = 'InputFailure';
  readonly code: SourceFailureCode;
  readonly retryable: boolean;

  constructor({ input, position }: InputPlace, failure: SourceFailure) {
    const title = LISTS.includes(input) ? `${TITLES[input]} ${position}` : TITLES[input];
    super(`the ${title} ${PROBLEMS[failure.code]}`, { cause: failure });
    this.code = failure.code;
    this.retryable = failure.retryable;
  }
}

/** Outputs are files of the persona, so a generation can't succeed without it. */
export function personaDeleted(): DomainError {
  return new DomainError('no_persona', 'the persona was deleted before the outputs were stored');
}

export function workspaceErased(): DomainError {
  return notFound('workspace: it is being erased');
}

/** The generation has ended, or a later run has claimed it. */
export class RunNotCurrent extends Error {
  override readonly name = 'RunNotCurrent';

  constructor() {
    super('the run is no longer current');
  }
}

/** Maps an error of a run to the error that the caller sees. */
export function generationErrorOf(error: unknown): GenerationError {
  if (error instanceof InputFailure || error instanceof DomainError) {
    return { code: error.code, message: error.message };
  }
  if (error instanceof ProviderFailure) return { code: error.code, message: error.message };
  return { code: 'internal_error', message: 'the generation could not be completed' };
}

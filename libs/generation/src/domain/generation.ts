import type { ModelKind } from './model.ts';
import type { ParameterValues } from './parameters.ts';
import type { Inputs } from './resolve-inputs.ts';

export const GENERATION_STATES = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const;
export type GenerationState = (typeof GENERATION_STATES)[number];

/** The accepted request of a generation; it never changes, but for the cost. */
export interface GenerationRequest {
  readonly workspaceId: number;
  /** Who requested it and is charged. */
  readonly userId: number;
  /** The persona that the output files belong to; `null` once it is deleted. */
  readonly personaId: number | null;
  readonly model: string;
  readonly kind: ModelKind;
  readonly prompt: string | null;
  readonly parameters: ParameterValues;
  readonly inputs: Inputs;
  /** The URL to call once it has ended. */
  readonly webhook: string | null;
  /** Credits: those reserved, and once it has succeeded those charged. */
  readonly cost: number;
  readonly createdAt: Date;
}

interface Numbered {
  readonly id: number;
  /** Fencing number of the current run: later runs have greater numbers, and earlier ones must not write. */
  readonly attempt: number;
}

export interface Queued extends Numbered {
  readonly state: 'queued';
  readonly request: GenerationRequest;
}

export interface Running extends Numbered {
  readonly state: 'running';
  readonly request: GenerationRequest;
  /** When its first run started. */
  readonly startedAt: Date;
  /** 0..1 */
  readonly progress: number;
}

interface Ended extends Numbered {
  readonly finishedAt: Date;
}

export interface Succeeded extends Ended {
  readonly state: 'succeeded';
  readonly outputs: readonly Output[];
  /** Credits charged. */
  readonly cost: number;
}

export interface Failed extends Ended {
  readonly state: 'failed';
  readonly error: GenerationError;
}

export interface Canceled extends Ended {
  readonly state: 'canceled';
}

export type OpenGeneration = Queued | Running;
export type EndedGeneration = Succeeded | Failed | Canceled;

/** A stored output. */
export interface Output {
  readonly fileId: number;
  readonly contentType: string;
  /** Pixels; `null` for what has none, such as a 3D model, and for a video that could not be read here. */
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds; `null` for what is no video. */
  readonly duration: number | null;
  /** Of a mask. */
  readonly label: string | null;
  /** Of a mask: 0..1. */
  readonly score: number | null;
  /** Smallest first; empty for what has no picture. */
  readonly thumbnails: readonly OutputThumbnail[];
}

/** A smaller picture of an output, a stored WebP. */
export interface OutputThumbnail {
  readonly fileId: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Why a generation failed: a code for programs, a sentence for users. */
export interface GenerationError {
  readonly code: string;
  readonly message: string;
}

export function isOpen<T extends { readonly state: GenerationState }>(
  generation: T,
): generation is Extract<T, OpenGeneration> {
  return generation.state === 'queued' || generation.state === 'running';
}

export function succeed({ id, attempt }: Running, outputs: readonly Output[], cost: number, at: Date): Succeeded {
  return { id, attempt, finishedAt: at, state: 'succeeded', outputs, cost };
}

export function fail({ id, attempt }: OpenGeneration, error: GenerationError, at: Date): Failed {
  return { id, attempt, finishedAt: at, state: 'failed', error };
}

export function cancel({ id, attempt }: OpenGeneration, at: Date): Canceled {
  return { id, attempt, finishedAt: at, state: 'canceled' };
}

import type { ModelKind } from './model.ts';
import type { ParameterValues } from './parameters.ts';
import type { Inputs, InputSource } from './resolve-inputs.ts';

export const GENERATION_STATES = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const;
export type GenerationState = (typeof GENERATION_STATES)[number];

/** The accepted request of a generation; it never changes. */
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
  /** Credits. */
  readonly cost: number;
  readonly createdAt: Date;
}

interface Numbered {
  readonly id: number;
  readonly request: GenerationRequest;
  /** Fencing number of the current run: later runs have greater numbers, and earlier ones must not write. */
  readonly attempt: number;
}

export interface Queued extends Numbered {
  readonly state: 'queued';
}

export interface Running extends Numbered {
  readonly state: 'running';
  /** 0..1 */
  readonly progress: number;
  /** When its first run started. */
  readonly startedAt: Date;
}

interface Ended extends Numbered {
  readonly startedAt: Date | null;
  readonly finishedAt: Date;
}

export interface Succeeded extends Ended {
  readonly state: 'succeeded';
  readonly outputs: readonly Output[];
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
export type Generation = OpenGeneration | EndedGeneration;

/** A stored output. */
export interface Output {
  readonly fileId: number;
  readonly contentType: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Seconds; `null` for a picture. */
  readonly duration: number | null;
}

/** Why a generation failed: a code for programs, a sentence for users. */
export interface GenerationError {
  readonly code: string;
  readonly message: string;
}

export function isOpen(generation: Generation): generation is OpenGeneration {
  return generation.state === 'queued' || generation.state === 'running';
}

export function succeed(generation: Running, outputs: readonly Output[], at: Date): Succeeded {
  return { ...ended(generation, at), state: 'succeeded', outputs };
}

export function fail(generation: OpenGeneration, error: GenerationError, at: Date): Failed {
  return { ...ended(generation, at), state: 'failed', error };
}

export function cancel(generation: OpenGeneration, at: Date): Canceled {
  return { ...ended(generation, at), state: 'canceled' };
}

/** An ended generation no longer references the files of its inputs. */
function ended({ id, attempt, request, ...open }: OpenGeneration, at: Date): Ended {
  const { image, styleReference } = request.inputs;
  return {
    id,
    attempt,
    request: {
      ...request,
      inputs: { image: unreferenced(image), styleReference: unreferenced(styleReference) },
    },
    startedAt: open.state === 'running' ? open.startedAt : null,
    finishedAt: at,
  };
}

function unreferenced(source: InputSource | null): InputSource | null {
  return source && { ...source, fileId: null };
}

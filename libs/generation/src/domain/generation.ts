import type { ModelKind, ModelReference, ParameterValues } from '#catalogue';
import type { CustomData } from '#kernel';
import type { OutputReference } from './lineage.ts';
import type { Inputs } from './resolve-inputs.ts';
import type { TrainedStyle } from './trained-style.ts';

export const GENERATION_STATES = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const;
export type GenerationState = (typeof GENERATION_STATES)[number];

/** The accepted request of a generation. Only its cost changes. */
export interface GenerationRequest extends ModelReference, CustomData {
  /** The name in the call: an id or an alias of the model, or of one that it replaces. */
  readonly requestedModel: string;
  readonly workspaceId: number;
  /** The user who requested it and is charged. */
  readonly userId: number;
  /** The persona that the output files belong to; `null` once it is deleted. */
  readonly personaId: number | null;
  readonly kind: ModelKind;
  readonly prompt: string | null;
  readonly parameters: ParameterValues;
  readonly inputs: Inputs;
  /** The trained style that it uses; for the kind `style`, the style that it trains. */
  readonly trainedStyle: TrainedStyle | null;
  /** The output that it goes on from. */
  readonly parent: OutputReference | null;
  /** The batch that it is a cell of. */
  readonly batch: CellPlace | null;
  /** The URL to call once it has ended. */
  readonly webhook: string | null;
  /** Reserved credits; after success, the charged credits. */
  readonly cost: number;
  readonly createdAt: Date;
}

/** A place in a batch. */
export interface CellPlace {
  readonly batchId: number;
  /** From 1; `null` once a retry has replaced the generation. */
  readonly cell: number | null;
}

interface Numbered {
  readonly id: number;
  /** Fencing token of the current run: later runs have greater numbers, and earlier runs must not write. */
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
  /** The file of the trained style; `null` for other kinds. */
  readonly styleFileId: number | null;
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
  /** For masks only. */
  readonly label: string | null;
  /** For masks only: 0..1. */
  readonly score: number | null;
}

/** Why a generation failed: a code for programs and a message for users. */
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
  return { id, attempt, finishedAt: at, state: 'succeeded', outputs, styleFileId: null, cost };
}

/** Ends a generation of the kind `style`. */
export function succeedTraining({ id, attempt }: Running, styleFileId: number, cost: number, at: Date): Succeeded {
  return { id, attempt, finishedAt: at, state: 'succeeded', outputs: [], styleFileId, cost };
}

export function fail({ id, attempt }: OpenGeneration, error: GenerationError, at: Date): Failed {
  return { id, attempt, finishedAt: at, state: 'failed', error };
}

export function cancel({ id, attempt }: OpenGeneration, at: Date): Canceled {
  return { id, attempt, finishedAt: at, state: 'canceled' };
}

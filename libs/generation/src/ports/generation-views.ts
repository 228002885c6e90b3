import type { Page, PageRequest } from '#kernel';
import type { GenerationError, GenerationState } from '../domain/generation.ts';
import type { ModelKind } from '../domain/model.ts';
import type { ParameterValues } from '../domain/parameters.ts';

/** A generation as its workspace sees it. */
export interface GenerationView {
  readonly id: number;
  readonly userId: number;
  readonly personaId: number | null;
  readonly model: string;
  readonly kind: ModelKind;
  readonly state: GenerationState;
  /** 0..1 */
  readonly progress: number;
  readonly prompt: string | null;
  readonly parameters: ParameterValues;
  readonly imageUrl: string | null;
  readonly styleReferenceUrl: string | null;
  /** Those whose files are still there: files go with their persona. */
  readonly outputs: readonly OutputView[];
  readonly error: GenerationError | null;
  readonly cost: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export interface OutputView {
  readonly url: string;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly duration: number | null;
}

/** Generations to look at: each is one statement. */
export interface GenerationViews {
  /** Newest first. */
  list(workspaceId: number, page: PageRequest): Promise<Page<GenerationView>>;

  /** @throws DomainError `not_found` when it is unknown or in another workspace */
  get(workspaceId: number, id: number): Promise<GenerationView>;
}

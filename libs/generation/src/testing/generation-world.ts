import type { UnitOfWork } from '#kernel';
import type { GenerationSignals } from '../ports/generation-signals.ts';
import type { GenerationViews } from '../ports/generation-views.ts';
import type { Generations } from '../ports/generations.ts';

/** The ports over one store, and what there is in it for generations to refer to. */
export interface GenerationWorld {
  readonly generations: Generations;
  readonly views: GenerationViews;
  readonly signals: GenerationSignals;
  readonly unitOfWork: UnitOfWork;
  readonly workspaceId: number;
  readonly otherWorkspaceId: number;
  readonly userId: number;
  readonly personaId: number;
  /** At least three files of the workspace. */
  readonly fileIds: readonly number[];
}

import type { GenerationRequest, GenerationState, GenerationView } from '#generation';
import type { Page, PageRequest } from '#kernel';
import type { Batch, NewBatch } from './domain/batch.ts';

/** A cell whose generation has failed. */
export interface FailedCell {
  readonly generationId: number;
  readonly cell: number;
  readonly request: GenerationRequest;
}

/** Batches and their cells. The cells are generations: `GenerationStore` adds and ends them. */
export interface BatchStore {
  /** @returns the id */
  add(batch: NewBatch): Promise<number>;

  /**
   * Locks and reads a batch until the surrounding unit of work ends; `null` when it is unknown or in another workspace.
   */
  lock(id: number, workspaceId?: number): Promise<Batch | null>;

  /** Saves state, cost and end of a batch. The caller has locked it. */
  save(batch: Batch): Promise<void>;

  /** Reports whether a cell has not ended, among all cells that were committed when the batch was locked. */
  hasOpenCells(id: number): Promise<boolean>;

  /** The generations of open cells, in the order of the cells. */
  openCells(id: number, limit: number): Promise<readonly number[]>;

  /** The generations of queued cells that no job runs, in the order of the cells. */
  heldCells(id: number): Promise<readonly number[]>;

  /** The failed cells, in their order. @param cells only these; `null` for all */
  failedCells(id: number, cells: readonly number[] | null): Promise<readonly FailedCell[]>;

  /** Takes generations out of their cells, so that others can be added there. They stay in the batch. */
  detachCells(generationIds: readonly number[]): Promise<void>;
}

/** A batch as its workspace sees it. */
export interface BatchView extends Batch {
  readonly cells: Readonly<Record<GenerationState, number>>;
  /** Credits charged for its cells. */
  readonly used: number;
}

export interface CellView {
  readonly cell: number;
  readonly generation: GenerationView;
}

/** Reads of batches. */
export interface BatchViews {
  /** Newest first. @param customer only batches for this customer; all by default */
  list(workspaceId: number, page: PageRequest, customer?: string): Promise<Page<BatchView>>;

  /** @throws DomainError `not_found` when it is unknown or in another workspace */
  get(workspaceId: number, id: number): Promise<BatchView>;

  /**
   * Cells in their order; the cursor of the page is a cell.
   *
   * @param state only cells in this state; `null` for all
   */
  cells(workspaceId: number, id: number, page: PageRequest, state: GenerationState | null): Promise<Page<CellView>>;

  exists(workspaceId: number, id: number): Promise<boolean>;
}

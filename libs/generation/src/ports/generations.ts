import type {
  EndedGeneration,
  Generation,
  GenerationRequest,
  Queued,
  Running,
} from '../domain/generation.ts';

/** The generations, and which run of their job has each. */
export interface Generations {
  /**
   * Records an accepted call, and gives it its id. Its inputs' files must be there, and held. Until the surrounding
   * unit of work ends, the user can't be removed from the workspace.
   *
   * @throws DomainError `conflict` when the user does not belong to the workspace any more
   */
  add(request: GenerationRequest): Promise<Queued>;

  /**
   * The generation as it is, kept from changing until the surrounding unit of work ends; `null` when it is
   * unknown, or in another workspace than the one given.
   */
  hold(id: number, workspaceId?: number): Promise<Generation | null>;

  /**
   * Makes `attempt` the run that has the generation, which no earlier one has any more from then on. `null`
   * when the generation has ended or is unknown, or this or a later attempt has it.
   */
  claim(id: number, attempt: number, at: Date): Promise<Running | null>;

  /** Whether the run still has the generation: false once it ended, was canceled, or a later run took it over. */
  isCurrent(running: Running): Promise<boolean>;

  /** Records how far the run is, 0..1, if it still has the generation; false when it has not. */
  progress(running: Running, fraction: number): Promise<boolean>;

  /**
   * Records how the generation ended, with its outputs, if it is open and its attempt is still the one that the
   * value came from; false, and nothing is changed, when not. However many save at once, one is told true. The
   * files of the inputs are referred to no more.
   */
  save(ended: EndedGeneration): Promise<boolean>;
}

import type { CreditLedger } from '#credits';
import { scheduleFileDeletion } from '#files';
import type { Jobs } from '#kernel';
import type { EndedGeneration, OpenGeneration } from '../domain/generation.ts';
import type { Generations } from '../ports/generations.ts';

/** Ends generations with all that follows, whoever ends them: each once, charged once or refunded once. */
export class EndGeneration {
  readonly #generations: Generations;
  readonly #ledger: CreditLedger;
  readonly #jobs: Jobs;

  constructor(generations: Generations, ledger: CreditLedger, jobs: Jobs) {
    this.#generations = generations;
    this.#ledger = ledger;
    this.#jobs = jobs;
  }

  /**
   * To be called in a unit of work.
   *
   * @returns false, and nothing has changed, when `open` is no longer how the generation stands
   */
  async run(open: OpenGeneration, ended: EndedGeneration): Promise<boolean> {
    if (!(await this.#generations.save(ended))) return false;
    await (ended.state === 'succeeded' ? this.#ledger.charge(ended.id) : this.#ledger.release(ended.id));
    const { image, styleReference } = open.request.inputs;
    await scheduleFileDeletion(this.#jobs, [image?.fileId ?? null, styleReference?.fileId ?? null]);
    return true;
  }
}

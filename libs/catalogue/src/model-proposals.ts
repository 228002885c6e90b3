import { invalidField } from '#kernel';
import { proposeComfyui } from './domain/proposals/comfyui.ts';
import { proposeFal } from './domain/proposals/fal.ts';
import { proposeOpenai } from './domain/proposals/openai.ts';
import { readAnswers } from './domain/proposals/answers.ts';
import { vendorPriceIn } from './domain/proposals/price.ts';
import type { Proposal, ProposalOptions, VendorPrice } from './domain/proposals/proposal.ts';
import { proposeReplicate } from './domain/proposals/replicate.ts';
import { modelNameIn } from './domain/proposals/target.ts';
import type { JsonObject } from './domain/json.ts';
import type { Catalogue } from './live-catalogue.ts';
import type { ProviderSettings } from './ports.ts';

/** How vendors describe their models. */
export interface VendorSchemas {
  /**
   * Reads the vendor's own description of a model: for Replicate the model, for fal the OpenAPI document of the endpoint,
   * for ComfyUI the information on its nodes. Costs nothing.
   *
   * @throws DomainError `validation_failed` on `target` when the vendor has no such model; `unavailable` when the vendor
   * can't be reached, refuses the key, or sends no JSON
   */
  read(provider: ProviderSettings, target: string, signal: AbortSignal): Promise<unknown>;

  /** Reads what the vendor says of the price of a model; `null` when the vendor does not say, or can't be reached. */
  readPrice(provider: ProviderSettings, target: string, signal: AbortSignal): Promise<unknown>;
}

/** The end of a vendor's model that its vendor has announced. */
export interface KnownEnd {
  /** As in a catalogue file. */
  readonly retiresAt: string;
  /** The vendor's model that replaces it. */
  readonly successor: string | null;
}

/** A proposal, with what the vendor says of the price and the end of its model. */
export interface PricedProposal extends Proposal {
  readonly price: VendorPrice | null;
  readonly knownEnd: KnownEnd | null;
}

export interface ProposalRequest {
  /** The id of a provider in the catalogue. */
  readonly provider: string;
  /** The vendor's name of the model, or the URL of its page; for ComfyUI a name for the workflow, or `null`. */
  readonly target: string | null;
  /** For ComfyUI: the workflow in API format. */
  readonly workflow: JsonObject | null;
  /** Answers in the shape `Answers`; checked here. */
  readonly answers: Readonly<Record<string, unknown>>;
}

const UNNAMED_WORKFLOW = 'workflow';

/** Proposes entries of the catalogue from vendors' own descriptions of their models. */
export class ModelProposals {
  constructor(
    private readonly catalogue: { readonly entries: Catalogue },
    private readonly schemas: VendorSchemas,
    private readonly knownEndOf: (type: string, target: string) => KnownEnd | null,
  ) {}

  /**
   * @returns an entry, which is complete once no question is left: answer by the same call with `answers`
   * @throws DomainError `validation_failed` on `provider`, `target`, `workflow` or an answer; `unavailable`
   */
  async propose(request: ProposalRequest, signal: AbortSignal): Promise<PricedProposal> {
    const { provider: id, target, workflow, answers } = request;
    const { providers, models } = this.catalogue.entries;
    const provider = providers.find((each) => each.id === id);
    if (!provider) throw invalidField('provider', `must be one of ${providers.map((each) => each.id).join(', ')}`);
    if (target === null && !workflow) throw invalidField('target', 'is missing');
    const name = target === null ? UNNAMED_WORKFLOW : modelNameIn(target);
    const price = vendorPriceIn(await this.schemas.readPrice(provider, name, signal), name);
    const options = { provider: id, answers: readAnswers(answers), price };
    const proposal = await this.#propose(provider, name, workflow, options, signal);
    const knownEnd = this.knownEndOf(provider.type, proposal.entry.target);
    if (!knownEnd) return { ...proposal, price, knownEnd };
    const { retiresAt } = knownEnd;
    const successor = models.find((model) => model.provider === id && model.target === knownEnd.successor)?.id;
    const entry = { ...proposal.entry, retires_at: retiresAt, ...(successor === undefined ? {} : { successor }) };
    return { ...proposal, entry, price, knownEnd };
  }

  async #propose(
    provider: ProviderSettings,
    name: string,
    workflow: JsonObject | null,
    options: ProposalOptions,
    signal: AbortSignal,
  ): Promise<Proposal> {
    switch (provider.type) {
      case 'replicate':
        return proposeReplicate(await this.schemas.read(provider, name, signal), options);
      case 'fal':
        return proposeFal(await this.schemas.read(provider, name, signal), { ...options, endpoint: name });
      case 'comfyui':
        if (!workflow) throw invalidField('workflow', 'is missing: the workflow in API format');
        return proposeComfyui(workflow, {
          ...options,
          name,
          objectInfo: await this.schemas.read(provider, name, signal),
        });
      default:
        return proposeOpenai(name, options);
    }
  }
}

import type { AddedModel, FollowedModel, FollowedProvider, JsonObject, Model } from '#catalogue';
import { ModelDto, modelDto } from '../generation/models.dto.ts';
import {
  BooleanField,
  dtoOf,
  IntegerField,
  JsonField,
  ListField,
  NumberField,
  ObjectField,
  TextField,
  TextsField,
  TimeField,
} from '../http/index.ts';

const REVISION =
  'The revision that the change is based on: another one is a conflict. Null for an entry that must be new; absent for ' +
  'whatever there is.';
const ENTRY =
  'The entry as in a catalogue file, without its id; for ComfyUI with the workflow in the field `workflow`.';

export class RevisionQuery {
  @IntegerField('The revision to delete: another one is a conflict. Absent for whatever there is.', {
    example: 3,
    required: false,
    min: 1,
  })
  revision?: number;
}

export class SaveProviderRequest {
  @TextField('`replicate`, `fal`, `openai` or `comfyui`.', { example: 'fal' }) type!: string;
  @TextField("URL of its API; absent or null for the vendor's own. It may be a private address.", {
    example: 'http://10.0.0.7:8188',
    required: false,
    nullable: true,
    max: 2048,
  })
  base_url?: string | null;

  @TextsField('For ComfyUI, instead of `base_url`: the URLs of several servers with the same nodes and files.', {
    example: ['http://10.0.0.7:8188', 'http://10.0.0.8:8188'],
    required: false,
    nullable: true,
    max: 32,
    maxUnits: 2048,
  })
  base_urls?: readonly string[] | null;

  @TextField('Its key. Absent keeps the current key, null removes it. It must be given when `base_url` changes.', {
    example: 'fal-1234',
    required: false,
    nullable: true,
    max: 1000,
    pattern: /^[\x21-\x7e]*$/,
    patternMeans: 'visible ASCII characters, without blanks or line breaks',
  })
  key?: string | null;

  @IntegerField('Submissions at a time from one worker, at most (default 4).', { example: 4, required: false })
  max_concurrent?: number;

  @IntegerField('Submissions in a minute, at most; null for any number.', {
    example: 60,
    required: false,
    nullable: true,
  })
  submissions_per_minute?: number | null;

  @IntegerField(REVISION, { example: 3, required: false, nullable: true, min: 1 }) revision?: number | null;
}

export class AddedProviderDto {
  @TextField('The id that models refer to.', { example: 'fal' }) id!: string;
  @IntegerField('Counts the changes, from 1.', { example: 3 }) revision!: number;
  @TextField('Kind of its API.', { example: 'fal' }) type!: string;
  @TextField("URL of its API; null for the vendor's own.", { example: null, nullable: true }) base_url!: string | null;
  @ListField(() => String, 'The URLs of all its servers, if there are several; the first is `base_url`.', {
    example: null,
    nullable: true,
  })
  base_urls!: readonly string[] | null;
  @BooleanField('Whether it has a key.', { example: true }) has_key!: boolean;
  @TextField('The last four characters of its key; null without one, and for one of fewer than 16.', {
    example: 'c7d1',
    nullable: true,
  })
  key_end!: string | null;
  @IntegerField('Submissions at a time from one worker, at most.', { example: 4 }) max_concurrent!: number;
  @IntegerField('Submissions in a minute, at most; null for any number.', { example: 60, nullable: true })
  submissions_per_minute!: number | null;
  @TextField('Why it cannot be used; null if it can.', {
    example: 'the secret was sealed under another SECRET_KEY',
    nullable: true,
  })
  problem!: string | null;
}

export class SaveModelRequest {
  @JsonField(ENTRY, { example: { kind: 'image', provider: 'fal', target: 'fal-ai/flux/dev', mapping: {}, cost: 4 } })
  entry!: JsonObject;
  @BooleanField('Whether callers may use it (default true).', { example: true, required: false }) is_offered?: boolean;
  @BooleanField('Checks the entry and shows its form, without saving it (default false).', {
    example: false,
    required: false,
  })
  dry_run?: boolean;
  @IntegerField(REVISION, { example: 3, required: false, nullable: true, min: 1 }) revision?: number | null;
}

export class AddedModelDto {
  @TextField('`model` in requests.', { example: 'fluw' }) id!: string;
  @IntegerField('Counts the changes, from 1; null after a dry run.', { example: 3, nullable: true })
  revision!: number | null;
  @BooleanField('Whether callers may use it.', { example: true }) is_offered!: boolean;
  @JsonField(ENTRY, { example: { kind: 'image', provider: 'fal', target: 'fal-ai/flux/dev', mapping: {}, cost: 4 } })
  entry!: object;
  @ObjectField(() => ModelDto, 'The model as callers see it; null for an entry that is no longer valid.', {
    nullable: true,
  })
  model!: ModelDto | null;
  @JsonField('Why the entry is no longer valid, by field; empty for a valid entry.', { example: {} })
  problems!: object;
}

export class ProposeModelRequest {
  @TextField('Id of a provider in the catalogue.', { example: 'replicate' }) provider!: string;
  @TextField("The vendor's name of the model, or the URL of its page; for ComfyUI a name for the workflow, if any.", {
    example: 'https://replicate.com/black-forest-labs/flux-schnell',
    required: false,
  })
  target?: string;
  @JsonField('For ComfyUI: the workflow in API format.', { required: false }) workflow?: JsonObject;
  @JsonField('Answers to the questions of an earlier proposal, by what they are about.', {
    required: false,
    example: { cost: 4 },
  })
  answers?: Readonly<Record<string, unknown>>;
}

export class VendorPriceDto {
  @NumberField('For one unit.', { example: 0.025 }) amount!: number;
  @TextField('Three letters.', { example: 'USD' }) currency!: string;
  @TextField('Such as `image`, `second`, `megapixel`.', { example: 'image' }) unit!: string;
}

export class KnownEndDto {
  @TextField('When it ends, UTC.', { example: '2026-10-23' }) retires_at!: string;
  @TextField("The vendor's model that replaces it; null if it names none.", {
    example: 'gpt-image-1.5',
    nullable: true,
  })
  successor!: string | null;
}

export class ProposalResponse {
  @JsonField('The proposed entry, to be saved once no question is left.', {
    example: { id: 'flux-schnell', kind: 'image', provider: 'replicate', target: 'black-forest-labs/flux-schnell' },
  })
  entry!: object;
  @ListField(() => Object, "What the vendor's schema does not decide; each has `about`.", {
    example: [{ about: 'cost', price: null, parameters: [], units: ['output'] }],
  })
  questions!: readonly object[];
  @ListField(() => Object, "The vendor's fields that callers are not offered, with the reason.", {
    example: [{ field: 'disable_safety_checker', reason: 'safety', declaration: null }],
  })
  left_out!: readonly object[];
  @ObjectField(() => VendorPriceDto, "The vendor's price, which is not the `cost`; null if the vendor does not say.", {
    nullable: true,
  })
  price!: VendorPriceDto | null;
  @ObjectField(() => KnownEndDto, 'The end of the model that its vendor has announced; the entry has it.', {
    nullable: true,
  })
  known_end!: KnownEndDto | null;
}

export class AddedEntriesResponse {
  @ListField(() => AddedProviderDto, 'The providers that operators have added.') providers!: AddedProviderDto[];
  @ListField(() => AddedModelDto, 'The models that operators have added.') models!: AddedModelDto[];
}

export class ListedModelDto {
  @TextField('`model` in requests.', { example: 'fluw' }) id!: string;
  @BooleanField('Whether operators change it here; false for models of the file and of the workers.', { example: true })
  is_added!: boolean;
  @IntegerField('Counts the changes, from 1; null for a model that was not added.', { example: 3, nullable: true })
  revision!: number | null;
  @BooleanField('Whether callers may use it.', { example: true }) is_offered!: boolean;
  @JsonField(`${ENTRY} Null for a model that was not added.`, {
    nullable: true,
    example: { kind: 'image', provider: 'fal', target: 'fal-ai/flux/dev', mapping: {}, cost: 4 },
  })
  entry!: object | null;
  @ObjectField(() => ModelDto, 'The model as callers see it; null for an entry that is no longer valid.', {
    nullable: true,
  })
  model!: ModelDto | null;
  @JsonField('Why the entry is no longer valid, by field; empty for a valid entry.', { example: {} })
  problems!: object;
  @TimeField('Since when the vendor says that it has no such model; null unless it does.', { nullable: true })
  gone_since!: Date | null;
}

export class ListedModelsResponse {
  @ListField(() => ListedModelDto, 'All models: those of the file and of the workers, then the added ones.')
  models!: ListedModelDto[];
}

export class AddedProviderResponse {
  @ObjectField(() => AddedProviderDto, 'The provider.') provider!: AddedProviderDto;
}

export class AddedModelResponse {
  @ObjectField(() => AddedModelDto, 'The model.') model!: AddedModelDto;
}

export function addedProviderDto({ added, problem }: FollowedProvider): AddedProviderDto {
  const { baseUrls = null, keyEnd } = added;
  return dtoOf(AddedProviderDto, { ...added, baseUrls, hasKey: keyEnd !== null, keyEnd: keyEnd || null, problem });
}

export function addedModelDto({ added, model, problems }: FollowedModel): AddedModelDto {
  const { id, revision, isOffered, entry }: AddedModel = added;
  return { id, revision, is_offered: isOffered, entry, model: model && modelDto(model), problems };
}

export function listedModels(
  fixed: readonly Model[],
  added: readonly FollowedModel[],
  gone: ReadonlyMap<string, Date>,
): ListedModelsResponse {
  const goneSince = (id: string) => ({ gone_since: gone.get(id) ?? null });
  const unchanged = { is_added: false, revision: null, is_offered: true, entry: null, problems: {} };
  return {
    models: [
      ...fixed.map((model) => ({ id: model.id, ...unchanged, model: modelDto(model), ...goneSince(model.id) })),
      ...added.map((each) => ({ ...addedModelDto(each), is_added: true, ...goneSince(each.added.id) })),
    ],
  };
}

export function previewDto(model: Model, entry: JsonObject, isOffered: boolean): AddedModelDto {
  return { id: model.id, revision: null, is_offered: isOffered, entry, model: modelDto(model), problems: {} };
}

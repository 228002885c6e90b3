import type { ModelDto } from '../../../api/index.ts';
import type {
  AddedEntriesResponse,
  AddedModelDto,
  CatalogueModelDto,
  ListedModelDto,
  ProvidersResponse,
} from '../generated/index.ts';
import { endOf, type ModelEnd } from './ends.ts';
import type { Entry } from './entry.ts';

/** A model of the catalogue. */
export interface KnownModel {
  readonly id: string;
  readonly title: string;
  readonly provider: string;
  readonly target: string;
  readonly source: 'file' | 'local' | 'added';
  /** Null for a model of the file, and for one that runs in the workers. */
  readonly added: AddedModelDto | null;
  /** As callers see it; null while it is unknown, and for an entry that is no longer valid. */
  readonly model: ModelDto | null;
  /** The model with its health; null until the vendors have been asked, and for a model that is not offered. */
  readonly checked: CatalogueModelDto | null;
  /** Null without one. */
  readonly end: ModelEnd | null;
}

/** All models by title. */
export function modelsOf(
  catalogue: AddedEntriesResponse | undefined,
  checked: ProvidersResponse | undefined,
  listed: readonly ListedModelDto[],
): readonly KnownModel[] {
  const added = catalogue?.models ?? [];
  const checkedAs = (id: string) => checked?.models.find((each) => each.id === id) ?? null;
  const goneSince = (id: string) => listed.find((each) => each.id === id)?.gone_since ?? null;
  const ofFile = listed.flatMap((each): KnownModel[] => {
    const { model, is_added: isAdded } = each;
    if (isAdded || !model) return [];
    const { id, title, provider } = model;
    const own = checkedAs(id);
    const source = provider === 'local' ? 'local' : 'file';
    const target = own?.target ?? '';
    return [{ id, title, provider, target, source, added: null, model, checked: own, end: endOf(each) }];
  });
  const ofOperators = added.map((each): KnownModel => {
    const entry = each.entry as Entry;
    return {
      id: each.id,
      title: each.model?.title ?? entry.title ?? each.id,
      provider: String(entry.provider),
      target: String(entry.target),
      source: 'added',
      added: each,
      model: each.model,
      checked: checkedAs(each.id),
      end: endOf({ model: each.model, gone_since: goneSince(each.id) }),
    };
  });
  return [...ofFile, ...ofOperators].sort((a, b) => a.title.localeCompare(b.title));
}

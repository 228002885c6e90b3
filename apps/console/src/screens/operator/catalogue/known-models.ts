import type { ModelDto } from '../../../api/index.ts';
import type { AddedEntriesResponse, AddedModelDto, CatalogueModelDto, ProvidersResponse } from '../generated/index.ts';
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
}

/** All models by title. */
export function modelsOf(
  catalogue: AddedEntriesResponse | undefined,
  checked: ProvidersResponse | undefined,
  offered: readonly ModelDto[],
): readonly KnownModel[] {
  const added = catalogue?.models ?? [];
  const fixed = offered.filter(({ id }) => !added.some((each) => each.id === id));
  const checkedAs = (id: string) => checked?.models.find((each) => each.id === id) ?? null;
  const ofFile = fixed.map((model): KnownModel => {
    const { id, title, provider } = model;
    const own = checkedAs(id);
    const source = provider === 'local' ? 'local' : 'file';
    return { id, title, provider, target: own?.target ?? '', source, added: null, model, checked: own };
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
    };
  });
  return [...ofFile, ...ofOperators].sort((a, b) => a.title.localeCompare(b.title));
}

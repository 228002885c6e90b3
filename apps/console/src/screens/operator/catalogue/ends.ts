import type { ListedModelDto } from '../generated/index.ts';

/** Operators are told of an end this long before it, as workspaces are. */
const NOTICE_MS = 60 * 86_400_000;

/** The end of a model. `gone`: its vendor says that it has no such model. */
export interface ModelEnd {
  readonly state: 'ending' | 'ended' | 'gone';
  readonly at: string;
  /** Takes the calls from then on; null without one. */
  readonly successor: string | null;
}

/** The end of a model that is known; null without one. */
export function endOf(
  { model, gone_since: goneSince }: Pick<ListedModelDto, 'model' | 'gone_since'>,
  now = new Date(),
): ModelEnd | null {
  const { retires_at: at = null, successor = null } = model ?? {};
  if (at !== null && Date.parse(at) <= now.getTime()) return { state: 'ended', at, successor };
  if (goneSince !== null) return { state: 'gone', at: goneSince, successor };
  return at === null ? null : { state: 'ending', at, successor };
}

/** The models to see to: they are offered, and gone or about to end. The soonest comes first. */
export function endingModels(models: readonly ListedModelDto[], now = new Date()) {
  const found = models.flatMap((listed) => {
    const end = endOf(listed, now);
    if (!end || end.state === 'ended' || !listed.is_offered) return [];
    const isDue = Date.parse(end.at) - now.getTime() <= NOTICE_MS;
    return isDue ? [{ id: listed.id, title: listed.model?.title ?? listed.id, end }] : [];
  });
  return found.sort((a, b) => Date.parse(a.end.at) - Date.parse(b.end.at));
}

import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { boardsMediaVersionsListOptions, type GenerateInput, type MediaDto, refresh, x12 } from '../../../api/index.ts';
import { createStore, useStore } from '../../../state/index.ts';
import { notifyDone, notifyError } from '../../../ui/index.ts';
import { words } from './words.ts';

/** The newest version of an item that the address names, which may be an earlier one. */
export function newestOf(all: readonly MediaDto[], id: number | null): number | null {
  if (id === null || all.some((each) => each.id === id)) return id;
  return all.find(({ versions }) => versions.includes(id))?.id ?? id;
}

/** The versions of the open item, and the one that is shown in its place. */
export function useRounds(boardId: number, open: MediaDto | undefined) {
  const [chosen, show] = useState(0);
  const { data } = useQuery({
    ...boardsMediaVersionsListOptions({ path: { board_id: boardId, id: open?.id ?? 0 } }),
    enabled: open !== undefined && open.version > 1,
  });
  const isEarlier = open !== undefined && chosen !== open.id && open.versions.includes(chosen);
  const earlier = isEarlier ? data?.media.find(({ id }) => id === chosen) : undefined;
  return { earlier, show };
}

/** Items whose next version is being made, also while people look at other pages. */
const underWay = createStore<readonly number[]>([]);

export const useIsUnderWay = (id: number) => useStore(underWay).includes(id);

interface Version {
  readonly url: string;
  /** Settings of its generation, which the board keeps with it. */
  readonly extras?: object;
}

/** Puts the next version of an item in its place, once it is made. */
export async function makeNext(
  queries: QueryClient,
  boardId: number,
  { id, version }: MediaDto,
  make: () => Promise<Version>,
): Promise<void> {
  if (underWay.get().includes(id)) return;
  underWay.set([...underWay.get(), id]);
  try {
    const { url, extras } = await make();
    await x12.boards.media.create({
      ...{ board_id: boardId, replaces: id, url },
      extras: extras && JSON.stringify(extras),
    });
    notifyDone(words.versionDone(version + 1));
  } catch (error) {
    notifyError(error, words.noVersion(version + 1));
  } finally {
    underWay.set(underWay.get().filter((each) => each !== id));
    await refresh(queries, 'boards', 'generations', 'credits', 'decisions');
  }
}

/** Generates a version. */
export async function generated(request: GenerateInput): Promise<Version> {
  const { id, model, prompt, parameters, outputs } = await x12.run(request);
  return { url: outputs[0]!.url, extras: { generation_id: id, model, prompt, parameters } };
}

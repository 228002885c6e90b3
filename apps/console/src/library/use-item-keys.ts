import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { generationsGetOptions } from '../api/index.ts';
import {
  download,
  downloadZip,
  editLink,
  notifyDone,
  notifyError,
  refusalToDownload,
  useEditableTypes,
} from '../ui/index.ts';
import type { Item } from './item.ts';

/** Further keys of the grid: E edits the item, D downloads items, several of them as a zip. */
export function useItemKeys(items: readonly Item[]) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const isEditable = useEditableTypes();
  const edit = async ({ url, generation_id: id, content_type }: Item) => {
    if (!isEditable(content_type)) return;
    const generation =
      id === null ? null : await queries.fetchQuery(generationsGetOptions({ path: { id } })).catch(() => null);
    const output = generation?.outputs.find((each) => each.url === url);
    const origin =
      generation && output
        ? { pid: generation.pid, output: { generation_id: generation.id, output: output.index } }
        : { pid: null, output: null };
    await navigate(editLink({ url, ...origin }));
  };
  const save = async (ids: readonly number[]) => {
    const [first] = ids;
    if (first === undefined) return;
    const item = items.find(({ id }) => id === first);
    if (ids.length === 1 && item) return download(item.url);
    const refusal = refusalToDownload(ids.length);
    if (refusal) return notifyDone(refusal);
    await downloadZip({ file_ids: [...ids] });
  };
  return {
    e: (ids: readonly number[]) => {
      const item = items.find(({ id }) => id === ids[0]);
      if (item && ids.length === 1) void edit(item).catch(notifyError);
    },
    d: (ids: readonly number[]) => void save(ids).catch(notifyError),
  };
}

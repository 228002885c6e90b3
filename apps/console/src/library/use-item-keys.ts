import { useNavigate } from '@tanstack/react-router';
import {
  type ActedOn,
  actedOn,
  downloadZip,
  saveFile,
  editLink,
  type Made,
  notifyDone,
  notifyError,
  refusalToDownload,
  useEditableTypes,
  useReadMade,
} from '../ui/index.ts';
import type { Item } from './item.ts';

/** Further keys of the grid: E edits the item, D downloads items, several of them as a zip. */
export function useItemKeys(items: readonly Item[]) {
  const navigate = useNavigate();
  const readMade = useReadMade();
  const isEditable = useEditableTypes();
  const edit = async (item: Item) => {
    if (!isEditable(item.content_type)) return;
    await navigate(editLink(onOf(item, await readMade(item.generation_id, item.url))));
  };
  const save = async (ids: readonly number[]) => {
    const [first] = ids;
    if (first === undefined) return;
    const item = items.find(({ id }) => id === first);
    if (ids.length === 1 && item) return saveFile(item.url, item.name);
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

/** The item as the picture that one-click actions go on from. */
export function onOf({ url, content_type: contentType, prompt }: Item, made: Made | null): ActedOn {
  return made ? actedOn(made.generation, made.output) : { url, contentType, prompt, pid: null, output: null };
}

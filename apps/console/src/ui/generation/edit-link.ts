import { useQuery } from '@tanstack/react-query';
import { modelsListOptions } from '../../api/index.ts';
import { unsigned } from '../../file-url.ts';
import { editModels, type Origin, outputText } from './task-actions.ts';

/** Types that browsers draw on a canvas, and models read. */
const EDITABLE = ['image/png', 'image/jpeg', 'image/webp', 'image/avif', 'image/gif', 'image/*'];

/** The way to the editor of a picture. */
export function editLink({ url, pid, output }: Origin) {
  const search = { image: unsigned(url), ...(pid !== null && { pid }), ...(output && { parent: outputText(output) }) };
  return { to: '/edit', search } as object;
}

/** Reports whether a model can change a part of a picture of this type. Without a type, it is tried as a picture. */
export function useIsEditable(contentType: string | null): boolean {
  return useEditableTypes()(contentType);
}

/** Returns whether a model can change a part of a picture of a type. */
export function useEditableTypes(): (contentType: string | null) => boolean {
  const { data } = useQuery({ ...modelsListOptions(), staleTime: 300_000 });
  const models = data?.models ?? [];
  const canEdit = editModels(models, 'inpaint').length > 0 || editModels(models, 'outpaint').length > 0;
  return (contentType) => canEdit && (contentType === null || EDITABLE.includes(contentType));
}

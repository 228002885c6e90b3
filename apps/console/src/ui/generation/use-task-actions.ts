import { useQuery } from '@tanstack/react-query';
import { type GenerationResponse, modelsListOptions, type OutputDto } from '../../api/index.ts';
import { mediaKind } from '../media.ts';
import { notifyError, offerUndo } from '../notices.tsx';
import { words } from '../words.ts';
import { type Origin, requestOn, type TaskAction, taskActions } from './task-actions.ts';
import { useCancel } from './use-cancel.ts';
import { useGenerate } from './use-generate.ts';

/** A picture, and what it was made with. */
export interface ActedOn extends Origin {
  readonly contentType: string | null;
  readonly prompt: string | null;
}

/** An output as the picture that one-click actions go on from. */
export function actedOn({ id, prompt, pid }: GenerationResponse, { url, content_type, index }: OutputDto): ActedOn {
  const output = { generation_id: id, output: index };
  return { url, contentType: content_type, prompt, pid, output };
}

const NONE: readonly TaskAction[] = [];

/**
 * One-click actions on a picture. A start can be undone for some seconds.
 *
 * @param whole waits for what is not known yet of the picture
 */
export function useTaskActions(on: ActedOn, whole: () => Promise<ActedOn> = async () => on) {
  const { data } = useQuery({ ...modelsListOptions(), staleTime: 300_000 });
  const { sending, generate } = useGenerate();
  const cancel = useCancel();
  const isPicture = on.contentType !== null && mediaKind(on.contentType) === 'picture';
  const start = async ({ task, model, price }: TaskAction) => {
    const { prompt, ...origin } = await whole();
    const id = await generate({ ...requestOn(origin, model), ...(prompt && { prompt }) });
    if (id !== null) offerUndo(words.tasks.started(words.tasks.names[task], price), () => cancel(id));
  };
  return {
    actions: isPicture && data ? taskActions(data.models) : NONE,
    isStarting: sending.length > 0,
    start: (action: TaskAction) => void start(action).catch(notifyError),
  };
}

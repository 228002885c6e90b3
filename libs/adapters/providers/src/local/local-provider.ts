import { join } from 'node:path';
import {
  ProviderFailure,
  type GenerationProvider,
  type GenerationTask,
  type Model,
  type ProviderOutput,
} from '#generation';
import { LOCAL_IMAGE, LOCAL_VIDEO, PROVIDER_ID } from './local-models.ts';
import { renderInProcess } from './render-process.ts';
import type { RenderTask } from './render-task.ts';

/** Far more than the largest video takes, on a busy machine too. */
const TIME_LIMIT_MS = 15 * 60_000;
const PROBE_LIMIT_MS = 60_000;

/** Makes pictures and videos on this machine, each in a process of its own. */
export class LocalProvider implements GenerationProvider {
  readonly id = PROVIDER_ID;
  readonly models: readonly Model[];
  readonly #timeLimitMs: number;

  /** @param options.timeLimitMs what runs longer is ended and fails */
  constructor(models: readonly Model[], options: { readonly timeLimitMs?: number } = {}) {
    this.models = models;
    this.#timeLimitMs = options.timeLimitMs ?? TIME_LIMIT_MS;
  }

  async run(
    task: GenerationTask,
    watch: { progress(fraction: number): void; readonly signal: AbortSignal },
  ): Promise<readonly ProviderOutput[]> {
    const renderTask = this.#renderTaskOf(task);
    const rendered = await renderInProcess(renderTask, { ...watch, timeLimitMs: this.#timeLimitMs });
    const contentType = renderTask.kind === 'video' ? 'video/mp4' : 'image/webp';
    return rendered.map((output, index) => ({ ...output, file: renderTask.files[index]!, contentType }));
  }

  #renderTaskOf(task: GenerationTask): Exclude<RenderTask, { kind: 'probe-video' }> {
    const { generationId, prompt, parameters, image, styleReference, folder } = task;
    const model = this.models.find(({ id }) => id === task.model);
    if (!model)
      throw new ProviderFailure(`the model ${task.model} is not offered here`, { retryable: false });
    const number = (name: string) => {
      const value = parameters[name] ?? defaultOf(model, name);
      return typeof value === 'number' ? value : undefined;
    };
    const shared = {
      prompt,
      seed: number('seed') ?? generationId,
      strength: number('strength')!,
      width: number('width'),
      height: number('height'),
      styleReference: styleReference?.file ?? null,
    };
    if (model.kind === 'image') {
      const files = Array.from({ length: number('count')! }, (_, i) => join(folder, `output-${i + 1}.webp`));
      return { ...shared, kind: 'image', image: image?.file ?? null, files };
    }
    if (!image) throw new ProviderFailure('a video needs an image to start with', { retryable: false });
    return {
      ...shared,
      kind: 'video',
      image: image.file,
      duration: number('duration')!,
      fps: number('fps')!,
      files: [join(folder, 'output-1.mp4')],
    };
  }
}

/** Whether videos are offered: `auto` where this machine can make them. */
export type LocalVideo = 'auto' | 'always' | 'never';

/**
 * With `auto`, offers videos only where FFmpeg can really be loaded: it is an optional dependency, and its binary may
 * not fit.
 *
 * @param options.warn told why videos are not offered
 */
export async function createLocalProvider({
  warn,
  video = 'auto',
  probeVideo = loadVideoRenderer,
}: {
  readonly warn: (message: string) => void;
  readonly video?: LocalVideo;
  readonly probeVideo?: () => Promise<unknown>;
}): Promise<LocalProvider> {
  if (video === 'never') return new LocalProvider([LOCAL_IMAGE]);
  if (video === 'always') return new LocalProvider([LOCAL_IMAGE, LOCAL_VIDEO]);
  try {
    await probeVideo();
  } catch (error) {
    warn(`the model ${LOCAL_VIDEO.id} is not offered: ${reasonOf(error)}`);
    return new LocalProvider([LOCAL_IMAGE]);
  }
  return new LocalProvider([LOCAL_IMAGE, LOCAL_VIDEO]);
}

function loadVideoRenderer(): Promise<unknown> {
  const { signal } = new AbortController();
  return renderInProcess(
    { kind: 'probe-video' },
    { progress: () => undefined, signal, timeLimitMs: PROBE_LIMIT_MS },
  );
}

function defaultOf(model: Model, name: string) {
  return model.parameters[name]?.default;
}

/** The first line of what was at the bottom of it. */
function reasonOf(error: unknown): string {
  const cause = error instanceof ProviderFailure && error.cause instanceof Error ? error.cause : error;
  return (cause instanceof Error ? cause.message : String(cause)).split('\n')[0]!;
}

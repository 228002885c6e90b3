import { join } from 'node:path';
import type { Model } from '#catalogue';
import { ProviderFailure } from '#generation';
import type { GenerationProvider, GenerationTask, ProviderOutput } from '#generation';
import { LOCAL_EDIT, LOCAL_IMAGE, LOCAL_MASK, LOCAL_STYLE, LOCAL_VIDEO, PROVIDER_ID } from './local-models.ts';
import { renderInProcess } from './render-process.ts';
import type { EditTask, ImageTask, RegionsTask, StyleTask, VideoTask } from './render-task.ts';

/** Far more than the largest video takes on a busy machine. */
const TIME_LIMIT_MS = 15 * 60_000;
const PROBE_LIMIT_MS = 60_000;
/** Pause before a crashed probe is repeated; it doubles each time. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;

const CONTENT_TYPES = {
  image: 'image/webp',
  video: 'video/mp4',
  style: 'application/json',
  edit: 'image/png',
  regions: 'image/png',
};

/** Renders pictures and videos, and learns styles, on this machine, each task in a process of its own. */
export class LocalProvider implements GenerationProvider {
  readonly id = PROVIDER_ID;

  /** @param limits.timeLimitMs tasks that run longer are killed and fail */
  constructor(
    readonly models: readonly Model[],
    private readonly limits = { timeLimitMs: TIME_LIMIT_MS },
  ) {}

  async run(
    task: GenerationTask,
    watch: { progress(fraction: number): void; readonly signal: AbortSignal },
  ): Promise<readonly ProviderOutput[]> {
    const model = this.models.find(({ id }) => id === task.model);
    if (!model) throw new ProviderFailure('provider_unavailable', `the model ${task.model} is not offered`);
    const renderTask = renderTaskOf(model, task);
    const rendered = await renderInProcess(renderTask, { ...watch, ...this.limits });
    const contentType = CONTENT_TYPES[renderTask.kind];
    return rendered.map((output, index) => ({ ...output, file: renderTask.files[index]!, contentType }));
  }
}

function renderTaskOf(model: Model, task: GenerationTask): ImageTask | VideoTask | StyleTask | EditTask | RegionsTask {
  const { generationId, prompt, parameters, image, style, trainedStyle, folder } = task;
  const file = (name: string) => join(folder, name);
  if (model.kind === 'style') {
    if (task.pictures.length === 0) throw new ProviderFailure('invalid_input', 'a style needs pictures to learn from');
    const pictures = task.pictures.map((picture) => picture.file);
    return { kind: 'style', pictures, files: [file('style.json')] };
  }
  const number = (name: string) => {
    const value = parameters[name] ?? model.parameters[name]?.default;
    return typeof value === 'number' ? value : undefined;
  };
  if (model.kind === 'mask') {
    if (!image) throw new ProviderFailure('invalid_input', 'regions need an image to find them in');
    const files = Array.from({ length: number('regions')! }, (_, i) => file(`region-${i + 1}.png`));
    return { kind: 'regions', image: image.file, files };
  }
  const styles = { styleReference: style?.file ?? null, trainedStyle: trainedStyle?.file ?? null };
  const common = { prompt, seed: number('seed') ?? generationId, ...styles };
  if (model.target === LOCAL_EDIT.target) {
    const { mask } = task;
    if (!image || !mask) throw new ProviderFailure('invalid_input', 'an edit needs an image and a mask');
    const files = Array.from({ length: number('count')! }, (_, i) => file(`output-${i + 1}.png`));
    return { ...common, kind: 'edit', image: image.file, mask: mask.file, files };
  }
  const shared = { ...common, strength: number('strength')!, width: number('width'), height: number('height') };
  if (model.kind === 'image') {
    const files = Array.from({ length: number('count')! }, (_, i) => file(`output-${i + 1}.webp`));
    return { ...shared, kind: 'image', image: image?.file ?? null, files };
  }
  if (!image) throw new ProviderFailure('invalid_input', 'a video needs an image to start with');
  const length = { seconds: number('duration')!, fps: number('fps')! };
  return { ...shared, ...length, kind: 'video', image: image.file, files: [file('output-1.mp4')] };
}

/** When videos are offered: with `auto`, where this machine can encode them. */
export type LocalVideo = 'auto' | 'always' | 'never';

/**
 * With `auto`, the video model is offered if FFmpeg loads: it is an optional dependency, and its binary may not fit
 * this machine. A crashed probe, for lack of memory for example, proves nothing, and is repeated.
 *
 * @param options.warn receives the reason why videos are not offered
 */
export async function createLocalProvider({
  warn,
  video = 'auto',
  probeVideo = loadVideoRenderer,
  pauseMs = FIRST_PAUSE_MS,
}: {
  readonly warn: (message: string) => void;
  readonly video?: LocalVideo;
  readonly probeVideo?: () => Promise<unknown>;
  readonly pauseMs?: number;
}): Promise<LocalProvider> {
  const models = [LOCAL_IMAGE, LOCAL_STYLE, LOCAL_EDIT, LOCAL_MASK, ...(video === 'always' ? [LOCAL_VIDEO] : [])];
  const probe = async (pause: number): Promise<void> => {
    try {
      await probeVideo();
      models.push(LOCAL_VIDEO);
    } catch (error) {
      const died = error instanceof ProviderFailure && error.retryable;
      warn(`the model ${LOCAL_VIDEO.id} is not offered${died ? ' yet' : ''}: ${reasonOf(error)}`);
      if (died) setTimeout(() => void probe(Math.min(2 * pause, LONGEST_PAUSE_MS)), pause).unref();
    }
  };
  if (video === 'auto') await probe(pauseMs);
  return new LocalProvider(models);
}

/** @throws ProviderFailure not retryable when FFmpeg can't be loaded; retryable when the process died */
function loadVideoRenderer(): Promise<unknown> {
  const { signal } = new AbortController();
  const watch = { progress: () => undefined, signal, timeLimitMs: PROBE_LIMIT_MS };
  return renderInProcess({ kind: 'probe-video', files: [] }, watch);
}

/** The first line of the error, or of its cause if it has one. */
function reasonOf(error: unknown): string {
  const cause = error instanceof ProviderFailure && error.cause instanceof Error ? error.cause : error;
  return (cause instanceof Error ? cause.message : String(cause)).split('\n')[0]!;
}

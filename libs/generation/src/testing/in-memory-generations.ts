import { notFound, pageOf, type Page, type PageRequest } from '#kernel';
import {
  isOpen,
  type EndedGeneration,
  type Generation,
  type GenerationRequest,
  type Queued,
  type Running,
} from '../domain/generation.ts';
import type { GenerationChange, GenerationSignals } from '../ports/generation-signals.ts';
import type { GenerationView, GenerationViews } from '../ports/generation-views.ts';
import type { Generations } from '../ports/generations.ts';

type Listener = (change: GenerationChange | 'missed') => void;
type Entry = { generation: Generation; progress: number };

/** Everything that generations are kept in, read from and told by, without a database. */
export class InMemoryGenerations implements Generations, GenerationViews, GenerationSignals {
  readonly #entries = new Map<number, Entry>();
  readonly #listeners = new Map<number, Set<Listener>>();

  async add(request: GenerationRequest): Promise<Queued> {
    const queued: Queued = { id: this.#entries.size + 1, attempt: 0, request, state: 'queued' };
    this.#entries.set(queued.id, { generation: queued, progress: 0 });
    return queued;
  }

  async hold(id: number, workspaceId?: number): Promise<Generation | null> {
    const generation = this.#entries.get(id)?.generation;
    if (!generation || (workspaceId ?? generation.request.workspaceId) !== generation.request.workspaceId) {
      return null;
    }
    return generation;
  }

  async claim(id: number, attempt: number, at: Date): Promise<Running | null> {
    const generation = this.#entries.get(id)?.generation;
    if (!generation || !isOpen(generation) || generation.attempt >= attempt) return null;
    const startedAt = generation.state === 'running' ? generation.startedAt : at;
    const { request } = generation;
    const running: Running = { id, attempt, request, state: 'running', progress: 0, startedAt };
    this.#put({ generation: running, progress: 0 });
    return running;
  }

  async isCurrent(running: Running): Promise<boolean> {
    const generation = this.#entries.get(running.id)?.generation;
    return generation?.state === 'running' && generation.attempt === running.attempt;
  }

  async progress(running: Running, fraction: number): Promise<boolean> {
    if (!(await this.isCurrent(running))) return false;
    this.#put({ generation: { ...running, progress: fraction }, progress: fraction });
    return true;
  }

  async save(ended: EndedGeneration): Promise<boolean> {
    const entry = this.#entries.get(ended.id);
    if (!entry || !isOpen(entry.generation) || entry.generation.attempt !== ended.attempt) return false;
    this.#put({ generation: ended, progress: ended.state === 'succeeded' ? 1 : entry.progress });
    return true;
  }

  async list(workspaceId: number, { limit, after }: PageRequest): Promise<Page<GenerationView>> {
    const entries = [...this.#entries.values()]
      .filter(({ generation }) => generation.request.workspaceId === workspaceId)
      .filter(({ generation }) => after === null || generation.id < after)
      .reverse();
    const rows = entries.slice(0, limit === null ? undefined : limit + 1).map(toView);
    return pageOf(rows, limit, (view) => view.id);
  }

  async get(workspaceId: number, id: number): Promise<GenerationView> {
    if (!(await this.hold(id, workspaceId))) throw notFound('generation');
    return toView(this.#entries.get(id)!);
  }

  async watch(generationId: number, listener: Listener): Promise<() => void> {
    const listeners = this.#listeners.get(generationId) ?? new Set();
    this.#listeners.set(generationId, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  #put(entry: Entry): void {
    const { id, state } = entry.generation;
    this.#entries.set(id, entry);
    for (const listener of this.#listeners.get(id) ?? []) listener({ state, progress: entry.progress });
  }
}

function toView({ generation, progress }: Entry): GenerationView {
  const { id, state, request } = generation;
  const ended = isOpen(generation) ? null : generation;
  return {
    id,
    userId: request.userId,
    personaId: request.personaId,
    model: request.model,
    kind: request.kind,
    state,
    progress,
    prompt: request.prompt,
    parameters: request.parameters,
    imageUrl: request.inputs.image?.url ?? null,
    styleReferenceUrl: request.inputs.styleReference?.url ?? null,
    outputs:
      ended?.state === 'succeeded'
        ? ended.outputs.map(({ fileId, ...output }) => ({ url: `https://files.test/${fileId}`, ...output }))
        : [],
    error: ended?.state === 'failed' ? ended.error : null,
    cost: request.cost,
    createdAt: request.createdAt,
    startedAt: ended ? ended.startedAt : generation.state === 'running' ? generation.startedAt : null,
    finishedAt: ended?.finishedAt ?? null,
  };
}

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import { Semaphore } from '#kernel';
import { forkUntrusted } from '#process';
import type { FoundManifest, ManifestFacts, Manifests } from '#sources';
import type { C2paOrder, C2paReply, C2paTask } from './c2pa-tasks.ts';
import type { KeptSigner } from './kept-signer.ts';
import type { Signer } from './signing-files.ts';

/** Types that take a manifest. */
const TYPES = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif', 'image/tiff', 'video/mp4']);
/** A file is in memory several times. */
const MAX_BYTES = 64 * 1024 * 1024;
/** The memory of a process never shrinks: it is replaced after so many tasks, or bytes. */
const TASKS_OF_A_PROCESS = 500;
const BYTES_OF_A_PROCESS = 512 * 1024 * 1024;
/** Far beyond the time of any file that is not too large. */
const MAX_WAIT_MS = 60_000;
const IDLE_MS = 10_000;
const PROGRAM = new URL('./c2pa-process', import.meta.url);

interface Process {
  readonly child: ChildProcess;
  tasks: number;
  bytes: number;
}

/** Signs and verifies in one child process, a task at a time. It ends when nothing comes. */
export class C2paManifests implements Manifests {
  readonly #oneAtATime = new Semaphore(1);
  #process: Process | null = null;
  #end: NodeJS.Timeout | undefined;

  /**
   * @param options.signs false to verify only: the signer is then one that is trusted
   * @param options.trusted roots in PEM, beside that of the signer
   * @param options.onFailure called with the reason when a file that takes a signature gets none
   */
  constructor(
    private readonly options: {
      readonly signer: Pick<KeptSigner, 'get'>;
      readonly signs: boolean;
      readonly generator: C2paOrder['generator'];
      readonly trusted?: string;
      readonly onFailure?: (reason: string) => void;
    },
  ) {}

  get signs(): boolean {
    return this.options.signs;
  }

  async sign(file: string, target: string, contentType: string, facts: ManifestFacts): Promise<boolean> {
    if (!this.signs || !(await this.options.signer.get())) return false;
    const size = await sizeOf(contentType, file, ...(facts.parent ? [facts.parent.file] : []));
    if (size === null) return false;
    const reply = await this.#run({ kind: 'sign', file, target, contentType, facts }, size);
    if (reply?.isSigned) return true;
    this.options.onFailure?.(reply?.reason ?? 'the process ended, or took too long');
    await rm(target, { force: true });
    return false;
  }

  async find(file: string, contentType: string): Promise<FoundManifest | null> {
    const size = await sizeOf(contentType, file);
    const reply = size === null ? null : await this.#run({ kind: 'find', file, contentType }, size);
    return reply?.manifest ?? null;
  }

  /** Ends the process. */
  close(): void {
    clearTimeout(this.#end);
    this.#process?.child.kill('SIGKILL');
    this.#process = null;
  }

  /** @returns `null` when the process failed, or took too long */
  #run(task: C2paTask, bytes: number): Promise<C2paReply | null> {
    return this.#oneAtATime.on(1, async () => {
      const order = await this.#orderOf(task);
      clearTimeout(this.#end);
      if (this.#process && !this.#process.child.connected) this.close();
      const used = (this.#process ??= { child: forkUntrusted(PROGRAM, 'inherit'), tasks: 0, bytes: 0 });
      used.tasks += 1;
      used.bytes += bytes;
      used.child.ref();
      used.child.channel?.ref();
      const reply = await replyOf(used.child, order);
      if (reply === null || used.tasks >= TASKS_OF_A_PROCESS || used.bytes >= BYTES_OF_A_PROCESS) this.close();
      else this.#rest(used.child);
      return reply;
    });
  }

  /** A waiting process does not keep its parent alive. */
  #rest(child: ChildProcess): void {
    child.unref();
    child.channel?.unref();
    this.#end = setTimeout(() => this.close(), IDLE_MS).unref();
  }

  async #orderOf(task: C2paTask): Promise<C2paOrder> {
    const { generator, trusted = '' } = this.options;
    const signer = await this.options.signer.get();
    const key = task.kind === 'sign' && signer ? sent(signer) : null;
    return { task, key, generator, trusted: [signer?.root, trusted].filter(Boolean).join('\n') };
  }
}

function sent({ key: { key, algorithm, chain } }: Signer): C2paOrder['key'] {
  const pem = key.export({ type: 'pkcs8', format: 'pem' }) as string;
  return { pem, algorithm, chain: chain.map((certificate) => certificate.toString('base64')) };
}

async function replyOf(child: ChildProcess, order: C2paOrder): Promise<C2paReply | null> {
  const replied = new AbortController();
  const signal = AbortSignal.any([AbortSignal.timeout(MAX_WAIT_MS), replied.signal]);
  try {
    const reply = once(child, 'message', { signal }) as Promise<[C2paReply]>;
    const exit = once(child, 'exit', { signal }).then(() => null);
    // A process that is gone is noticed by its exit.
    child.send(order, () => {});
    return (await Promise.race([reply, exit]))?.[0] ?? null;
  } catch {
    return null;
  } finally {
    replied.abort();
  }
}

/** Bytes of the files together; `null` when they are too many, or the type takes no manifest. */
async function sizeOf(contentType: string, ...files: readonly string[]): Promise<number | null> {
  if (!TYPES.has(contentType)) return null;
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  const sum = sizes.reduce((all, size) => all + size, 0);
  return sum > MAX_BYTES ? null : sum;
}

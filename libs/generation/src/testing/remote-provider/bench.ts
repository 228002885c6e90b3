import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Model } from '#catalogue';
import type { FakeVendor, VendorBehaviour } from '../../../../../test/support/vendors/fake-vendor.ts';
import { eventually } from '../../../../../test/support/eventually.ts';
import { temporaryFolder } from '../../../../sources/src/testing/temporary-folder.ts';
import type { VendorHandle } from '../../domain/submission.ts';
import {
  ProviderFailure,
  type FailureCode,
  type RemoteInput,
  type RemoteProvider,
  type RemoteTask,
  type SubmitOptions,
} from '../../ports.ts';
import { aRemoteTask, asSubmitted } from '../builders.ts';

/** The only key that the fake accepts. */
export const VENDOR_KEY = 'key-s3cret-1';
export const WRONG_KEY = 'key-s3cret-2';

/** The capabilities in which vendors differ. */
export interface VendorFacts {
  /** Takes all kinds of inputs and a seed that its adapter knows; returns one picture. */
  readonly model: Model;
  /** A model that the vendor does not have; `null` when its existence can't be checked. */
  readonly missing: Model | null;
  /** True if the response to a submission has the outputs. */
  readonly isSynchronous: boolean;
  /** True if a search finds a submission whose response was lost. */
  readonly finds: boolean;
  /** True if a search that finds nothing is certain (default). */
  readonly knowsAbsence?: boolean;
  readonly cancels: boolean;
  readonly hasModeration: boolean;
  readonly takesUrls: boolean;
  /** The failure of the behaviour `fails`. */
  readonly fails: { readonly code: FailureCode; readonly retryable: boolean };
}

export interface RemoteUnderTest {
  /** Accepts `VENDOR_KEY` only. */
  readonly vendor: FakeVendor;
  /** The adapter, by default with `VENDOR_KEY` and its own time limit. */
  provider(overrides?: { key?: string; callSeconds?: number }): Promise<RemoteProvider> | RemoteProvider;
}

export type Outcome = { readonly files: readonly Buffer[] } | { readonly failure: unknown };

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A provider and its fake vendor, new for each test of the surrounding `describe`, and what its tests share. */
export class RemoteBench {
  tested!: RemoteUnderTest;
  vendor!: FakeVendor;
  provider!: RemoteProvider;
  /** The bytes of the inputs, by file. */
  readonly contents = new Map<string, Buffer>();
  readonly #folder = temporaryFolder();

  constructor(
    readonly facts: VendorFacts,
    make: () => Promise<RemoteUnderTest>,
  ) {
    beforeEach(async () => {
      this.tested = await make();
      this.vendor = this.tested.vendor;
      this.provider = await this.tested.provider();
    });
    afterEach(() => this.vendor.close());
  }

  /** The result of a search that finds nothing. */
  get notFound(): 'absent' | 'unknown' {
    return (this.facts.knowsAbsence ?? true) ? 'absent' : 'unknown';
  }

  /** A file that starts like a PNG. Fakes look no further. */
  async anInput(bytes = 1_000, url: string | null = null): Promise<RemoteInput> {
    const content = Buffer.concat([PNG, Buffer.alloc(bytes, randomUUID())]);
    const file = await this.#folder.save(content, `${randomUUID()}.png`);
    this.contents.set(file, content);
    return { file, contentType: 'image/png', url };
  }

  async aTask(overrides: Partial<RemoteTask> = {}): Promise<RemoteTask> {
    return aRemoteTask({
      model: this.facts.model,
      prompt: 'a quiet place',
      parameters: { seed: Math.floor(Math.random() * 1e9) },
      folder: await mkdtemp(this.#folder.fileAt('task-')),
      ...overrides,
    });
  }

  /** The vendor behaves like this once, and works afterwards. */
  plan(behaviour: VendorBehaviour): void {
    this.vendor.plan([behaviour], 'works');
  }

  async find(task: RemoteTask, since: Date) {
    return this.provider.find(await asSubmitted(task), since, options().signal);
  }

  async submitted(task: RemoteTask): Promise<VendorHandle> {
    const result = await this.provider.submit(task, options());
    if (!('handle' in result)) throw new Error('the provider is synchronous');
    return result.handle;
  }

  /** Submits a task and follows its job to the end. */
  async outcomeOf(task: RemoteTask): Promise<Outcome> {
    try {
      const result = await this.provider.submit(task, options());
      if ('handle' in result) return await this.endOf(result.handle, task);
      const files = await Promise.all(result.outputs.map(({ file }) => readFile(file)));
      for (const { file } of result.outputs) expect(file.startsWith(task.folder)).toBe(true);
      return { files };
    } catch (failure) {
      return { failure };
    }
  }

  /** Follows a job to its end and downloads its outputs. */
  async endOf(handle: VendorHandle, task: RemoteTask): Promise<Outcome> {
    const { signal } = options();
    const ended = await eventually(
      async () => {
        const state = await this.provider.check(handle, signal);
        return state.state === 'pending' ? null : state;
      },
      { everyMs: 10 },
    );
    if (ended.state === 'failed' || ended.state === 'inconclusive') return { failure: ended.failure };
    if (ended.state === 'canceled') return { failure: new Error('canceled') };
    const files: Buffer[] = [];
    for (const output of ended.outputs) {
      const file = join(task.folder, `output-${files.length}`);
      await this.provider.fetchOutput(output, file, task.model.kind, signal);
      files.push(await readFile(file));
    }
    return { files };
  }

  /** The outputs of the vendor's first submission. */
  async firstOutputs(): Promise<Outcome> {
    return { files: await this.vendor.outputsOf(this.vendor.submissions[0]!.id) };
  }
}

/** Defines the test only for a vendor with the capability. */
export function itWhere(isCapable: boolean, name: string, test: () => Promise<void>): void {
  if (isCapable) it(name, test);
}

export function options(overrides: Partial<SubmitOptions> = {}): SubmitOptions {
  return { webhookUrl: null, signal: new AbortController().signal, ...overrides };
}

/** A moment just before the test's submissions. */
export function since(): Date {
  return new Date(Date.now() - 5_000);
}

export function failureOf(doing: Promise<unknown>): Promise<unknown> {
  return doing.then(
    () => expect('no failure').toBe('a failure'),
    (error: unknown) => error,
  );
}

export function failureIn(outcome: Outcome): unknown {
  return 'failure' in outcome ? outcome.failure : expect(outcome).toBe('a failure');
}

/** A message for callers has no address and no key; the details for operators have no key. */
export function expectNoSecrets(failure: unknown): void {
  const { message } = failure as Error;
  expect(message).not.toMatch(/https?:|127\.0\.0\.1|\/tmp\/|s3cret/);
  expect(inspect(failure, { depth: 10, showHidden: true })).not.toContain('s3cret');
}

export function expectFailure(failure: unknown, code: FailureCode, retryable: boolean): void {
  expect(failure).toBeInstanceOf(ProviderFailure);
  expect(failure).toMatchObject({ code, retryable });
  expectNoSecrets(failure);
}

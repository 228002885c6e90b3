import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  FakeSubmission,
  FakeVendor,
  SignedWebhook,
  VendorBehaviour,
} from '../../../../test/support/vendors/fake-vendor.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import type { Model } from '../domain/model.ts';
import {
  NotAccepted,
  OutcomeUnknown,
  ProviderFailure,
  type FailureCode,
  type RemoteInput,
  type RemoteProvider,
  type RemoteTask,
  type SubmitOptions,
} from '../ports.ts';
import type { VendorHandle } from '../domain/submission.ts';
import { asSubmitted } from './builders.ts';

/** The only key that the fake accepts. */
export const VENDOR_KEY = 'key-s3cret-1';

/** What a vendor can do, as far as they differ. */
export interface VendorFacts {
  /** Takes every kind of input and a seed that its adapter knows; makes one picture. */
  readonly model: Model;
  /** A model that the vendor does not have; `null` where it can't be asked. */
  readonly missing: Model | null;
  /** Answers a submission with its outputs. */
  readonly isSynchronous: boolean;
  /** Whether a lost answer can be found again. */
  readonly finds: boolean;
  /** Whether what it does not find was never started (default); else it can not tell. */
  readonly knowsAbsence?: boolean;
  readonly cancels: boolean;
  readonly hasModeration: boolean;
  readonly takesUrls: boolean;
  /** How the behaviour `fails` ends. */
  readonly fails: { readonly code: FailureCode; readonly retryable: boolean };
}

export interface RemoteUnderTest {
  /** Accepts `VENDOR_KEY` alone. */
  readonly vendor: FakeVendor;
  /** The adapter with that key, and the vendor's own limits unless these are given. */
  provider(overrides?: { key?: string; callSeconds?: number }): Promise<RemoteProvider> | RemoteProvider;
  /** The bytes of its outputs. */
  outputsOf(submission: FakeSubmission): Promise<readonly Buffer[]> | readonly Buffer[];
  /** A webhook with the vendor's signature; absent where it has none. */
  readonly signWebhook?: (body: object, at?: Date) => SignedWebhook;
}

type Outcome = { readonly files: readonly Buffer[] } | { readonly failure: unknown };

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** More than vendors take within a request. */
const LARGE = 300 * 1024;

/** The contract of every `RemoteProvider`, against the fake of its vendor. */
export function remoteProviderContract(name: string, facts: VendorFacts, make: () => Promise<RemoteUnderTest>): void {
  describe(`remote provider: ${name}`, () => {
    const { model, isSynchronous } = facts;
    const notFound = (facts.knowsAbsence ?? true) ? 'absent' : 'unknown';
    /** There is no test of what a vendor can't do. */
    const where =
      (can: boolean) =>
      (name: string, test: () => Promise<void>): void => {
        if (can) it(name, test);
      };
    const contents = new Map<string, Buffer>();
    let home: string;
    let tested: RemoteUnderTest;
    let vendor: FakeVendor;
    let provider: RemoteProvider;
    beforeAll(async () => {
      home = await mkdtemp(join(tmpdir(), 'remote-provider-'));
    });
    afterAll(() => rm(home, { recursive: true, force: true }));
    beforeEach(async () => {
      tested = await make();
      vendor = tested.vendor;
      provider = await tested.provider();
    });
    afterEach(() => vendor.close());

    /** A PNG by its first bytes; no fake looks further. */
    const anInput = async (bytes = 1_000, url: string | null = null): Promise<RemoteInput> => {
      const file = join(home, `${randomUUID()}.png`);
      contents.set(file, Buffer.concat([PNG, Buffer.alloc(bytes, randomUUID())]));
      await writeFile(file, contents.get(file)!);
      return { file, contentType: 'image/png', url };
    };
    const aTask = async (overrides: Partial<RemoteTask> = {}): Promise<RemoteTask> => ({
      requestKey: randomUUID(),
      model,
      prompt: 'a quiet place',
      parameters: { seed: Math.floor(Math.random() * 1e9) },
      inputs: { image: null, style: null, references: [], mask: null, control: null },
      folder: await mkdtemp(join(home, 'task-')),
      ...overrides,
    });
    const options = (overrides: Partial<SubmitOptions> = {}): SubmitOptions => ({
      webhookUrl: null,
      signal: new AbortController().signal,
      ...overrides,
    });
    const since = () => new Date(Date.now() - 5_000);
    const find = async (task: RemoteTask, from: Date) => provider.find(await asSubmitted(task), from, options().signal);

    const failureOf = (doing: Promise<unknown>): Promise<unknown> =>
      doing.then(
        () => expect('no failure').toBe('a failure'),
        (error: unknown) => error,
      );
    const submitted = async (task: RemoteTask): Promise<VendorHandle> => {
      const made = await provider.submit(task, options());
      if (!('handle' in made)) throw new Error(`${name} is synchronous`);
      return made.handle;
    };
    /** Runs a task to its end. */
    const outcomeOf = async (task: RemoteTask): Promise<Outcome> => {
      try {
        const made = await provider.submit(task, options());
        if ('handle' in made) return await endOf(made.handle, task);
        const files = await Promise.all(made.outputs.map(({ file }) => readFile(file)));
        for (const { file } of made.outputs) expect(file.startsWith(task.folder)).toBe(true);
        return { files };
      } catch (failure) {
        return { failure };
      }
    };
    const endOf = async (handle: VendorHandle, task: RemoteTask): Promise<Outcome> => {
      const { signal } = options();
      const ended = await eventually(
        async () => {
          const state = await provider.check(handle, signal);
          return state.state === 'pending' ? null : state;
        },
        { seconds: 5, everyMs: 10 },
      );
      if (ended.state === 'failed' || ended.state === 'inconclusive') return { failure: ended.failure };
      if (ended.state === 'canceled') return { failure: new Error('canceled') };
      const files: Buffer[] = [];
      for (const output of ended.outputs) {
        const file = join(task.folder, `output-${files.length}`);
        await provider.fetchOutput(output, file, signal);
        files.push(await readFile(file));
      }
      return { files };
    };
    const plan = (behaviour: VendorBehaviour) => vendor.plan([behaviour], 'works');
    /** What is shown to callers has no address and no key; what operators see has no key. */
    const expectNoSecrets = (failure: unknown) => {
      const { message } = failure as Error;
      expect(message).not.toMatch(/https?:|127\.0\.0\.1|\/tmp\/|s3cret/);
      expect(inspect(failure, { depth: 10, showHidden: true })).not.toContain('s3cret');
    };
    const expectFailure = (failure: unknown, code: FailureCode, retryable: boolean) => {
      expect(failure).toBeInstanceOf(ProviderFailure);
      expect(failure).toMatchObject({ code, retryable });
      expectNoSecrets(failure);
    };

    it('makes what it is asked for by one POST, byte for byte', async () => {
      const task = await aTask();
      const outcome = await outcomeOf(task);
      expect(vendor.posts).toBe(1);
      expect(vendor.submissions).toHaveLength(1);
      expect(outcome).toEqual({ files: await tested.outputsOf(vendor.submissions[0]!) });
      expect(JSON.stringify(vendor.submissions[0]!.fields)).toContain('a quiet place');
      expect(JSON.stringify(vendor.submissions[0]!.fields)).toContain(String(task.parameters.seed));
    });

    it('gives every input to the vendor, small and large, in order', async () => {
      const taken = async (need: string, bytes?: number) => (need === 'none' ? null : anInput(bytes));
      const { image, style, references, mask, control } = model.inputs;
      const inputs = {
        image: await taken(image, LARGE),
        style: await taken(style),
        references: references === 'none' ? [] : [await anInput(LARGE), await anInput(), await anInput()],
        mask: await taken(mask),
        control: await taken(control),
      };
      expect(await outcomeOf(await aTask({ inputs }))).toHaveProperty('files');
      expect(vendor.posts).toBe(1);
      const got = picturesIn(vendor.submissions[0]!.fields, vendor);
      const placeOf = ({ file }: RemoteInput) => got.findIndex((bytes) => bytes.equals(contents.get(file)!));
      for (const input of Object.values(inputs).flat()) {
        if (input) expect(placeOf(input)).not.toBe(-1);
      }
      const places = inputs.references.map(placeOf);
      expect(places).toEqual([...places].sort((one, other) => one - other));
    });

    where(facts.takesUrls)('gives the public URL of an input where the vendor takes one', async () => {
      const url = 'https://files.example/picture.png?signature=abc';
      const { inputs, ...task } = await aTask();
      await submitted({ ...task, inputs: { ...inputs, image: await anInput(LARGE, url) } });
      expect(JSON.stringify(vendor.submissions[0]!.fields)).toContain(url);
    });

    const UNSENT: [VendorBehaviour, string, object][] = [
      ['busy', 'is busy', { code: 'provider_busy', retryAfterSeconds: expect.any(Number) }],
      ['down', 'is down', { code: 'provider_unavailable' }],
    ];
    it.each(UNSENT)('is not accepted when the vendor (%s) %s', async (behaviour, _what, expected) => {
      plan(behaviour);
      const failure = await failureOf(provider.submit(await aTask(), options()));
      expect(failure).toBeInstanceOf(NotAccepted);
      // The vendor's word is not taken for granted.
      expect(failure).toMatchObject({ ...expected, wasSent: true });
      expectNoSecrets(failure);
      expect([vendor.posts, vendor.submissions.length]).toEqual([1, 0]);
    });

    it.each<VendorBehaviour>(['busy_but_starts', 'down_but_starts'])(
      'is found where the vendor can tell, when it has started what it says it did not take (%s)',
      async (behaviour) => {
        plan(behaviour);
        const [task, from] = [await aTask(), since()];
        expect(await failureOf(provider.submit(task, options()))).toMatchObject({ name: 'NotAccepted', wasSent: true });
        const found = await find(task, from);
        if (!facts.finds) return expect(found).toBe('unknown');
        if (typeof found === 'string') throw new Error(found);
        expect(await endOf(found.handle, task)).toEqual({ files: await tested.outputsOf(vendor.submissions[0]!) });
      },
    );

    it('is not accepted when the vendor can not be reached', async () => {
      await vendor.close();
      const failure = await failureOf(provider.submit(await aTask(), options()));
      expect(failure).toBeInstanceOf(NotAccepted);
      expect(failure).toMatchObject({ code: 'provider_unavailable', wasSent: false });
      expectNoSecrets(failure);
    });

    it.each<[VendorBehaviour, number]>([
      ['drops_before', 0],
      ['drops_after', 1],
    ])('has an unknown outcome when the vendor %s, and is found or not', async (behaviour, started) => {
      plan(behaviour);
      const [task, from] = [await aTask(), since()];
      const failure = await failureOf(provider.submit(task, options()));
      expect(failure).toBeInstanceOf(OutcomeUnknown);
      expectNoSecrets(failure);
      expect([vendor.posts, vendor.submissions.length]).toEqual([1, started]);

      const found = await find(task, from);
      expect(vendor.posts).toBe(1);
      if (!facts.finds) return expect(found).toBe('unknown');
      if (started === 0) return expect(found).toBe(notFound);
      if (typeof found === 'string') throw new Error(found);
      expect(await endOf(found.handle, task)).toEqual({ files: await tested.outputsOf(vendor.submissions[0]!) });
    });

    it('has an unknown outcome when the vendor never answers', async () => {
      plan('hangs');
      const impatient = await tested.provider({ callSeconds: 0.5 });
      const task = await aTask({ model: { ...model, timeLimitSeconds: 0.5 } });
      const failure = await failureOf(impatient.submit(task, options()));
      expect(failure).toBeInstanceOf(OutcomeUnknown);
      expectNoSecrets(failure);
      expect([vendor.posts, vendor.submissions.length]).toEqual([1, 1]);
    });

    where(facts.finds)('finds its own among those of others', async () => {
      const [task, other, from] = [await aTask(), await aTask(), since()];
      await submitted(other);
      expect(await find(task, from)).toBe(notFound);
      const handle = await submitted(task);
      await submitted(await aTask());
      expect(await find(task, from)).toEqual({ handle });
      expect(vendor.posts).toBe(3);
    });

    it.each<VendorBehaviour>(['drops_before', 'drops_after'])(
      'never finds the job of another workspace, whatever they have in common (vendor: %s)',
      async (behaviour) => {
        const common = { prompt: null, parameters: { seed: 42 } };
        const from = since();
        const theirs = await provider.submit(await aTask(common), options());
        plan(behaviour);
        const task = await aTask(common);
        expect(await failureOf(provider.submit(task, options()))).toBeInstanceOf(OutcomeUnknown);
        // Their caller chose the seed, and so did ours.
        const found = await provider.find(await asSubmitted(task, false), from, options().signal);
        const foundId = typeof found === 'string' ? found : found.handle.id;
        expect(foundId).not.toBe('handle' in theirs && theirs.handle.id);
        expect([notFound, 'unknown', vendor.submissions[1]?.id]).toContain(foundId);
      },
    );

    it('can not tell what it can not ask', async () => {
      await vendor.close();
      const found = await find(await aTask(), since()).catch((error: unknown) => error);
      if (found instanceof Error) expectFailure(found, 'provider_unavailable', true);
      else expect(found).toBe('unknown');
    });

    it('fails without a repetition when the vendor refuses the input', async () => {
      plan('rejects');
      expectFailure(failureIn(await outcomeOf(await aTask())), 'invalid_input', false);
      expect(vendor.posts).toBe(1);
    });

    where(facts.hasModeration)('fails without a repetition when the vendor moderates the content', async () => {
      plan('moderates');
      expectFailure(failureIn(await outcomeOf(await aTask())), 'content_rejected', false);
      expect(vendor.posts).toBe(1);
    });

    it('fails as the vendor fails', async () => {
      plan('fails');
      const { code, retryable } = facts.fails;
      expectFailure(failureIn(await outcomeOf(await aTask())), code, retryable);
      expect(vendor.posts).toBe(1);
    });

    it('needs the operator when the vendor refuses the key', async () => {
      const wrong = await tested.provider({ key: 'key-s3cret-2' });
      expectFailure(await failureOf(wrong.submit(await aTask(), options())), 'provider_misconfigured', false);
      expect([vendor.posts, vendor.submissions.length]).toEqual([1, 0]);
      plan('refuses_key');
      expectFailure(await failureOf(provider.submit(await aTask(), options())), 'provider_misconfigured', false);
    });

    it('passes on what the vendor calls a PNG, byte for byte', async () => {
      plan('sends_html');
      const outcome = await outcomeOf(await aTask());
      expect(outcome).toEqual({ files: await tested.outputsOf(vendor.submissions[0]!) });
      expect((outcome as { files: Buffer[] }).files[0]!.toString()).toContain('<!doctype html>');
    });

    it('has no usable output when the vendor has lost it', async () => {
      plan('loses_output');
      expectFailure(failureIn(await outcomeOf(await aTask())), 'unusable_output', false);
      expect(vendor.posts).toBe(1);
    });

    it('starts nothing when it is aborted before, and ends at once when it is aborted during the call', async () => {
      const reason = new Error('the worker stops');
      const task = await aTask();
      await expect(provider.submit(task, options({ signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
      expect(vendor.posts).toBe(0);
      plan('hangs');
      const abort = new AbortController();
      const submitting = failureOf(provider.submit(task, options({ signal: abort.signal })));
      await eventually(() => vendor.submissions.length === 1, { everyMs: 5 });
      abort.abort(reason);
      expect(await submitting).toBe(reason);
      expect(vendor.posts).toBe(1);
    });

    if (!isSynchronous) {
      it('changes nothing at the vendor by asking how far it is', async () => {
        plan('never_ends');
        const handle = await submitted(await aTask());
        for (let checks = 0; checks < 3; checks++) {
          const state = await provider.check(handle, options().signal);
          expect(state).toMatchObject({ state: 'pending' });
          const { progress } = state as { progress: number | null };
          if (progress !== null) expect(Math.min(Math.max(progress, 0), 1)).toBe(progress);
        }
        expect(vendor.posts).toBe(1);
        expect(vendor.submissions).toMatchObject([{ isCanceled: false }]);
      });

      it('keeps its handle as JSON', async () => {
        const task = await aTask();
        const handle = await submitted(task);
        const kept = JSON.parse(JSON.stringify(handle)) as VendorHandle;
        expect(kept).toEqual(handle);
        expect(JSON.stringify(handle)).not.toContain('s3cret');
        const again = await tested.provider();
        await eventually(async () => (await again.check(kept, options().signal)).state === 'ended', { everyMs: 10 });
      });

      it('is in doubt, and has not ended, when the vendor says that it does not know it', async () => {
        const handle = await submitted(await aTask());
        const unknown = JSON.parse(JSON.stringify(handle).replaceAll(handle.id, randomUUID())) as VendorHandle;
        expect(await provider.check(unknown, options().signal)).toMatchObject({ state: 'inconclusive' });
      });

      it('survives states that the vendor does not have', async () => {
        plan('lies');
        const handle = await submitted(await aTask());
        for (let checks = 0; checks < 5; checks++) {
          const { state } = await provider.check(handle, options().signal);
          expect(['pending', 'ended']).toContain(state);
        }
        expect(vendor.posts).toBe(1);
      });

      it('can be asked again later when the vendor can not be reached', async () => {
        const handle = await submitted(await aTask());
        await vendor.close();
        expectFailure(await failureOf(provider.check(handle, options().signal)), 'provider_unavailable', true);
      });

      where(facts.cancels)('is canceled while it is pending, and too late when it has ended', async () => {
        const { signal } = options();
        vendor.plan(['never_ends', 'works']);
        const handle = await submitted(await aTask());
        expect(await provider.cancel(handle, signal)).toBe('canceled');
        expect(vendor.submissions).toMatchObject([{ isCanceled: true }]);
        expect((await provider.check(handle, signal)).state).not.toBe('ended');

        const ended = await submitted(await aTask());
        await eventually(async () => (await provider.check(ended, signal)).state === 'ended', { everyMs: 10 });
        expect(await provider.cancel(ended, signal)).toBe('too_late');
        expect(vendor.posts).toBe(2);
      });
    }

    it('believes a webhook with the signature of the vendor, fresh and unchanged, and no other', async () => {
      const sign = tested.signWebhook;
      const plain = Buffer.from('{"id":"1"}');
      expect(await provider.isAuthentic(plain, { 'content-type': 'application/json' })).toBe(false);
      expect(provider.hasWebhooks).toBe(sign !== undefined);
      if (!sign) return;
      const { body, headers } = sign({ id: '1' });
      expect(await provider.isAuthentic(body, headers)).toBe(true);
      expect(await provider.isAuthentic(plain.subarray(1), headers)).toBe(false);
      expect(await provider.isAuthentic(Buffer.from('{"id":"2"}'), headers)).toBe(false);
      for (const header of Object.keys(headers).filter((each) => each !== 'content-type')) {
        expect(await provider.isAuthentic(body, { ...headers, [header]: 'forged' })).toBe(false);
        const { [header]: _without, ...others } = headers;
        expect(await provider.isAuthentic(body, others)).toBe(false);
      }
      for (const minutes of [-10, 10]) {
        const stale = sign({ id: '1' }, new Date(Date.now() + minutes * 60_000));
        expect(await provider.isAuthentic(stale.body, stale.headers)).toBe(false);
      }
    });

    it('tells its health, and what to do', async () => {
      const { signal } = options();
      const well = { isReachable: true, isKeyAccepted: true, remedy: null };
      expect(await provider.health(null, signal)).toMatchObject({ ...well, hasTarget: null });
      expect(await provider.health(model, signal)).toMatchObject(well);
      if (facts.missing) {
        const missing = await provider.health(facts.missing, signal);
        expect(missing).toMatchObject({ isReachable: true, hasTarget: false, remedy: expect.any(String) });
      }
      const wrong = await tested.provider({ key: 'key-s3cret-2' });
      const refused = await wrong.health(model, signal);
      expect(refused).toMatchObject({ isReachable: true, isKeyAccepted: false, remedy: expect.any(String) });
      await vendor.close();
      const unreachable = await provider.health(model, signal);
      expect(unreachable).toMatchObject({ isReachable: false, isKeyAccepted: null, remedy: expect.any(String) });
      expect(JSON.stringify([refused, unreachable])).not.toContain('s3cret');
      expect(vendor.posts).toBe(0);
    });
  });
}

function failureIn(outcome: Outcome): unknown {
  return 'failure' in outcome ? outcome.failure : expect(outcome).toBe('a failure');
}

/** The pictures in the fields that a vendor got, in their order: data URIs, uploads by their names, bytes. */
function picturesIn(fields: unknown, vendor: FakeVendor): Buffer[] {
  if (typeof fields === 'string') {
    const data = /^data:[^,]*;base64,/.exec(fields);
    if (data) return [Buffer.from(fields.slice(data[0].length), 'base64')];
    return [vendor.upload(fields) ?? []].flat();
  }
  if (fields instanceof Uint8Array) return [Buffer.from(fields)];
  if (fields === null || typeof fields !== 'object') return [];
  return Object.values(fields).flatMap((value) => picturesIn(value, vendor));
}

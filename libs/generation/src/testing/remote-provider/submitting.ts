import { expect, it } from '@jest/globals';
import { eventually } from '../../../../../test/support/eventually.ts';
import type { FakeVendor, VendorBehaviour } from '../../../../../test/support/vendors/fake-vendor.ts';
import { NotAccepted, type RemoteInput } from '../../ports.ts';
import {
  WRONG_KEY,
  expectFailure,
  expectNoSecrets,
  failureIn,
  failureOf,
  itWhere,
  options,
  type RemoteBench,
} from './bench.ts';

/** More than vendors accept within a request. */
const LARGE = 300 * 1024;

/** Rules of `RemoteProvider.submit`, and of the end of the job. */
export function submittingRules(bench: RemoteBench): void {
  const { model } = bench.facts;

  it('returns the outputs of the vendor unchanged, after one POST', async () => {
    const task = await bench.aTask();
    const outcome = await bench.outcomeOf(task);
    expect(bench.vendor.posts).toBe(1);
    expect(bench.vendor.submissions).toHaveLength(1);
    expect(outcome).toEqual(await bench.firstOutputs());
    expect(JSON.stringify(bench.vendor.submissions[0]!.fields)).toContain('a quiet place');
    expect(JSON.stringify(bench.vendor.submissions[0]!.fields)).toContain(String(task.parameters.seed));
  });

  it('sends all inputs to the vendor, small and large, in order', async () => {
    const taken = async (need: string, bytes?: number) => (need === 'none' ? null : bench.anInput(bytes));
    const { image, style, references, mask, control } = model.inputs;
    const inputs = {
      image: await taken(image, LARGE),
      style: await taken(style),
      references:
        references === 'none' ? [] : [await bench.anInput(LARGE), await bench.anInput(), await bench.anInput()],
      mask: await taken(mask),
      control: await taken(control),
      pictures: [],
    };
    expect(await bench.outcomeOf(await bench.aTask({ inputs }))).toHaveProperty('files');
    expect(bench.vendor.posts).toBe(1);
    const got = picturesIn(bench.vendor.submissions[0]!.fields, bench.vendor);
    const placeOf = ({ file }: RemoteInput) => got.findIndex((bytes) => bytes.equals(bench.contents.get(file)!));
    for (const input of Object.values(inputs).flat()) {
      if (input) expect(placeOf(input)).not.toBe(-1);
    }
    const places = inputs.references.map(placeOf);
    expect(places).toEqual([...places].sort((one, other) => one - other));
  });

  itWhere(bench.facts.takesUrls, 'sends the public URL of an input to a vendor that takes URLs', async () => {
    const url = 'https://files.example/picture.png?signature=abc';
    const { inputs, ...task } = await bench.aTask();
    await bench.submitted({ ...task, inputs: { ...inputs, image: await bench.anInput(LARGE, url) } });
    expect(JSON.stringify(bench.vendor.submissions[0]!.fields)).toContain(url);
  });

  const UNSENT: [VendorBehaviour, string, object][] = [
    ['busy', 'is busy', { code: 'provider_busy', retryAfterSeconds: expect.any(Number) }],
    ['down', 'is down', { code: 'provider_unavailable' }],
  ];
  it.each(UNSENT)('throws NotAccepted when the vendor (%s) %s', async (behaviour, _what, expected) => {
    bench.plan(behaviour);
    const failure = await failureOf(bench.provider.submit(await bench.aTask(), options()));
    expect(failure).toBeInstanceOf(NotAccepted);
    // The vendor may have started the job in spite of its refusal.
    expect(failure).toMatchObject({ ...expected, wasSent: true });
    expectNoSecrets(failure);
    expect([bench.vendor.posts, bench.vendor.submissions.length]).toEqual([1, 0]);
  });

  it('throws NotAccepted when the vendor is unreachable', async () => {
    await bench.vendor.close();
    const failure = await failureOf(bench.provider.submit(await bench.aTask(), options()));
    expect(failure).toBeInstanceOf(NotAccepted);
    expect(failure).toMatchObject({ code: 'provider_unavailable', wasSent: false });
    expectNoSecrets(failure);
  });

  it('fails for good when the vendor refuses the input', async () => {
    bench.plan('rejects');
    expectFailure(failureIn(await bench.outcomeOf(await bench.aTask())), 'invalid_input', false);
    expect(bench.vendor.posts).toBe(1);
  });

  itWhere(bench.facts.hasModeration, 'fails for good when moderation rejects the content', async () => {
    bench.plan('moderates');
    expectFailure(failureIn(await bench.outcomeOf(await bench.aTask())), 'content_rejected', false);
    expect(bench.vendor.posts).toBe(1);
  });

  it('maps the failure of a job', async () => {
    bench.plan('fails');
    const { code, retryable } = bench.facts.fails;
    expectFailure(failureIn(await bench.outcomeOf(await bench.aTask())), code, retryable);
    expect(bench.vendor.posts).toBe(1);
  });

  it('throws provider_misconfigured when the vendor refuses the key', async () => {
    const wrong = await bench.tested.provider({ key: WRONG_KEY });
    expectFailure(await failureOf(wrong.submit(await bench.aTask(), options())), 'provider_misconfigured', false);
    expect([bench.vendor.posts, bench.vendor.submissions.length]).toEqual([1, 0]);
    bench.plan('refuses_key');
    expectFailure(
      await failureOf(bench.provider.submit(await bench.aTask(), options())),
      'provider_misconfigured',
      false,
    );
  });

  it('returns an output of another type than declared unchanged', async () => {
    bench.plan('sends_html');
    const outcome = await bench.outcomeOf(await bench.aTask());
    expect(outcome).toEqual(await bench.firstOutputs());
    expect((outcome as { files: Buffer[] }).files[0]!.toString()).toContain('<!doctype html>');
  });

  it('throws unusable_output when the output is gone', async () => {
    bench.plan('loses_output');
    expectFailure(failureIn(await bench.outcomeOf(await bench.aTask())), 'unusable_output', false);
    expect(bench.vendor.posts).toBe(1);
  });

  it('sends nothing when already aborted, and ends at once when aborted during the call', async () => {
    const reason = new Error('the worker stops');
    const task = await bench.aTask();
    await expect(bench.provider.submit(task, options({ signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    expect(bench.vendor.posts).toBe(0);
    bench.plan('hangs');
    const abort = new AbortController();
    const submitting = failureOf(bench.provider.submit(task, options({ signal: abort.signal })));
    await eventually(() => bench.vendor.submissions.length === 1, { everyMs: 5 });
    abort.abort(reason);
    expect(await submitting).toBe(reason);
    expect(bench.vendor.posts).toBe(1);
  });
}

/** The pictures in the fields that a vendor received, in order: data URIs, uploads by name, bytes. */
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

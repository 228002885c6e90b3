import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  NotAccepted,
  OutcomeUnknown,
  ProviderFailure,
  type RemoteProvider,
  type RemoteTask,
  type SubmitOptions,
} from '#generation';
import { guardProvider, type Circuit, type GuardOptions } from './guard-provider.ts';

const task = {} as RemoteTask;
const { signal } = new AbortController();
const options: SubmitOptions = { webhookUrl: null, signal };
const ACCEPTED = { handle: { id: '1' } };
const PENDING = { state: 'pending', progress: null, checkAfterSeconds: null } as const;

const unavailable = () => new NotAccepted('provider_unavailable', null);
const lost = () => new OutcomeUnknown();
const unreachable = () => new ProviderFailure('provider_unavailable', 'unreachable', { retryable: true });

describe('A guarded provider', () => {
  let submit: jest.Mock<RemoteProvider['submit']>;
  let check: jest.Mock<RemoteProvider['check']>;
  let countSubmission: jest.Mock<GuardOptions['countSubmission']>;
  let circuits: Circuit[];
  beforeEach(() => {
    jest.useFakeTimers();
    submit = jest.fn<RemoteProvider['submit']>().mockResolvedValue(ACCEPTED);
    check = jest.fn<RemoteProvider['check']>().mockResolvedValue(PENDING);
    countSubmission = jest.fn<GuardOptions['countSubmission']>().mockResolvedValue(0);
    circuits = [];
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const guarded = (limits: { maxConcurrent?: number; submissionsPerMinute?: number } = {}): RemoteProvider => {
    const provider = { id: 'vendor', hasWebhooks: false, submit, check } as unknown as RemoteProvider;
    const settings = { id: 'vendor', type: 'vendor', baseUrl: null, key: null };
    return guardProvider(
      provider,
      { ...settings, maxConcurrent: 2, submissionsPerMinute: null, ...limits },
      { countSubmission, onCircuit: (_id, circuit) => circuits.push(circuit) },
    );
  };
  const fail = async (provider: RemoteProvider, times: number, make: () => Error): Promise<void> => {
    for (let n = 0; n < times; n++) {
      submit.mockRejectedValueOnce(make());
      await expect(provider.submit(task, options)).rejects.toThrow(make().message);
    }
  };
  const expectRefused = async (submitting: Promise<unknown>, code: string, retryAfterSeconds: number | null) => {
    const error = await submitting.catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(NotAccepted);
    expect(error).toMatchObject({ code, retryAfterSeconds });
  };

  it.each([
    ['was down', unavailable],
    ['did not respond', lost],
    ['could not be reached', unreachable],
  ])('is not called for 10 seconds after five calls in which it %s', async (_what, failure) => {
    const provider = guarded();
    await fail(provider, 4, failure);
    await provider.check({ id: '1' }, signal);
    await fail(provider, 5, failure);
    expect(circuits).toEqual(['open']);

    await expectRefused(provider.submit(task, options), 'provider_unavailable', 10);
    const checking = provider.check({ id: '1' }, signal);
    await expect(checking).rejects.toMatchObject({ code: 'provider_unavailable', retryable: true });
    await jest.advanceTimersByTimeAsync(9_999);
    await expectRefused(provider.submit(task, options), 'provider_unavailable', 10);
    await jest.advanceTimersByTimeAsync(1);
    await expect(provider.submit(task, options)).resolves.toBe(ACCEPTED);
    expect(circuits).toEqual(['open', 'half_open', 'closed']);
  });

  it('is called once to decide, and not meanwhile', async () => {
    const provider = guarded();
    await fail(provider, 5, lost);
    await jest.advanceTimersByTimeAsync(10_000);
    let loseResponse = (): void => {};
    submit.mockReturnValueOnce(new Promise((_resolve, reject) => (loseResponse = () => reject(lost()))));
    const deciding = provider.submit(task, options).catch((error: unknown) => error);
    await expectRefused(provider.submit(task, options), 'provider_unavailable', 10);
    loseResponse();
    expect(await deciding).toBeInstanceOf(OutcomeUnknown);
    await expectRefused(provider.submit(task, options), 'provider_unavailable', 10);
    expect(circuits).toEqual(['open', 'half_open', 'open']);
  });

  it.each([
    ['is busy', () => new NotAccepted('provider_busy', 7)],
    ['refuses the input', () => new ProviderFailure('invalid_input', 'refused')],
    ['refuses the key', () => new ProviderFailure('provider_misconfigured', 'refused')],
  ])('goes on being called when it %s', async (_what, refusal) => {
    const provider = guarded();
    await fail(provider, 4, lost);
    await fail(provider, 1, refusal);
    await fail(provider, 4, lost);
    await fail(provider, 10, refusal);
    expect(circuits).toEqual([]);
  });

  it('sends half of the concurrent submissions for one workspace at most', async () => {
    const provider = guarded({ maxConcurrent: 4 });
    const end: (() => void)[] = [];
    submit.mockImplementation(() => new Promise((resolve) => end.push(() => resolve(ACCEPTED))));
    const submitFor = (workspaceId: number) => provider.submit(task, { ...options, workspaceId });
    const mine = [submitFor(1), submitFor(1)];
    const refused = expectRefused(submitFor(1), 'provider_busy', null);
    await jest.advanceTimersByTimeAsync(1_000);
    await refused;
    const others = [submitFor(2), submitFor(2)];
    await jest.advanceTimersByTimeAsync(0);
    expect(end).toHaveLength(4);
    end.forEach((each) => each());
    await Promise.all([...mine, ...others]);
    submit.mockResolvedValue(ACCEPTED);
    await expect(submitFor(1)).resolves.toBe(ACCEPTED);
  });

  it('limits concurrent submissions: a further submission waits for a second, then is refused', async () => {
    const provider = guarded({ maxConcurrent: 2 });
    const end: (() => void)[] = [];
    submit.mockImplementation(() => new Promise((resolve) => end.push(() => resolve(ACCEPTED))));
    const [first, , third] = [1, 2, 3].map(() => provider.submit(task, options));
    const fourth = provider.submit(task, options).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(999);
    expect(end).toHaveLength(2);
    end[0]!();
    await first;
    await jest.advanceTimersByTimeAsync(1);
    expect(end).toHaveLength(3);
    await expectRefused(
      fourth.then((error) => Promise.reject(error)),
      'provider_busy',
      null,
    );
    await expect(provider.check({ id: '1' }, signal)).resolves.toBe(PENDING);
    end[2]!();
    await expect(third).resolves.toBe(ACCEPTED);
    end[1]!();
    submit.mockResolvedValue(ACCEPTED);
    await expect(provider.submit(task, options)).resolves.toBe(ACCEPTED);
  });

  it('sends no more submissions in a minute than all workers together may', async () => {
    const provider = guarded({ submissionsPerMinute: 30 });
    let counted = 0;
    countSubmission.mockImplementation(async (id, perMinute) => (id === 'vendor' && ++counted > perMinute ? 42 : 0));
    for (let n = 0; n < 30; n++) await provider.submit(task, options);
    await expectRefused(provider.submit(task, options), 'provider_busy', 42);
    await expect(provider.check({ id: '1' }, signal)).resolves.toBe(PENDING);
    countSubmission.mockRejectedValue(new Error('the counter is away'));
    await expectRefused(provider.submit(task, options), 'provider_busy', null);
  });
});

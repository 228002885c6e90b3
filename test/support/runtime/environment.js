import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

const SIGNAL = Symbol.for('x12.test-signal');
/** What files set for themselves in Jest's circus: `jest.setTimeout` and `jest.retryTimes`. */
const OF_ONE_FILE = [Symbol.for('TEST_TIMEOUT_SYMBOL'), Symbol.for('RETRY_TIMES')];

/** Runs test files in the worker's own realm, without a vm context (see runtime.js). */
export default class WorkerEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #before = { env: { ...process.env }, exit: process.exit, console: globalThis.console };
  #test = new AbortController();

  constructor({ projectConfig }) {
    /** `@jest-environment-options {"isolated": true}`: for a file of what exists once in a process. */
    this.isIsolated = projectConfig.testEnvironmentOptions.isolated === true;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    globalThis[SIGNAL] = this.#test.signal;
  }

  /** Ends what a test still waits for when it is over. */
  handleTestEvent({ name }) {
    if (name !== 'test_done' && name !== 'hook_failure') return;
    this.#test.abort();
    this.#test = new AbortController();
    globalThis[SIGNAL] = this.#test.signal;
  }

  /** Gives the next file the environment variables and globals that this one had at its start. */
  async teardown() {
    this.fakeTimersModern.dispose();
    const { env, exit, console } = this.#before;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    process.exit = exit;
    globalThis.console = console;
    for (const symbol of OF_ONE_FILE) delete globalThis[symbol];
  }

  exportConditions() {
    return ['x12-source', 'node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}

import { Redis } from 'ioredis';
import { GenericContainer, Wait } from 'testcontainers';
import { Engine } from './engine.ts';
import { eventually } from './eventually.ts';

/** A Valkey that persists, unless the options of the command line say otherwise. */
export function valkeyImage(...options: string[]): GenericContainer {
  return new GenericContainer('valkey/valkey:8-trixie')
    .withCommand(['valkey-server', '--protected-mode', 'no', '--appendonly', 'yes', ...options])
    .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/));
}

/** A Valkey for the calling suite alone, which can be killed and frozen. */
export class ValkeyServer {
  /** @param url with the password, if it needs one */
  private constructor(
    readonly engine: Engine,
    readonly url: string,
  ) {}

  /** @param options of the command line; by default it persists */
  static async start(options: readonly string[] = [], password = ''): Promise<ValkeyServer> {
    const engine = await Engine.start(valkeyImage('--requirepass', password, ...options), 6379);
    return new ValkeyServer(engine, `redis://:${password}@${engine.address}`);
  }

  /** Runs one command on its own connection. */
  async command(name: string, ...args: string[]): Promise<unknown> {
    const client = new Redis(this.url, { lazyConnect: true });
    try {
      await client.connect();
      return await client.call(name, ...args);
    } finally {
      client.disconnect();
    }
  }

  readonly kill = () => this.engine.kill();

  /** Starts it again after `kill`, with the data it persisted. */
  async restart(): Promise<void> {
    await this.engine.startAgain();
    await eventually(async () => (await this.command('PING').catch(() => null)) === 'PONG');
  }

  readonly freeze = () => this.engine.freeze();
  readonly thaw = () => this.engine.thaw();
  readonly stop = () => this.engine.stop();
}

import { Redis } from 'ioredis';
import { GenericContainer, Wait } from 'testcontainers';
import { Engine } from './engine.ts';

export const VALKEY_IMAGE = 'valkey/valkey:8-trixie';

/** A Valkey for the calling suite alone, which can be killed and frozen. */
export class ValkeyServer {
  /** @param url with the password, if it needs one */
  private constructor(
    readonly engine: Engine,
    readonly url: string,
  ) {}

  /** @param options of the command line; by default it persists */
  static async start(options: readonly string[] = [], password = ''): Promise<ValkeyServer> {
    const command = ['valkey-server', '--protected-mode', 'no', '--appendonly', 'yes'];
    const engine = await Engine.start(
      new GenericContainer(VALKEY_IMAGE)
        .withCommand([...command, '--requirepass', password, ...options])
        .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/)),
      6379,
    );
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

  kill(): Promise<void> {
    return this.engine.kill();
  }

  /** Starts it again after `kill`, with the data it persisted. */
  async restart(): Promise<void> {
    await this.engine.startAgain();
    for (const deadline = Date.now() + 20_000; Date.now() < deadline;) {
      if ((await this.command('PING').catch(() => null)) === 'PONG') return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('the server does not come back');
  }

  freeze(): Promise<void> {
    return this.engine.freeze();
  }

  thaw(): Promise<void> {
    return this.engine.thaw();
  }

  stop(): Promise<void> {
    return this.engine.stop();
  }
}

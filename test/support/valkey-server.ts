import { GenericContainer, getContainerRuntimeClient, Wait, type StartedTestContainer } from 'testcontainers';
import { Redis } from 'ioredis';
import { probePort } from '#process';

export const VALKEY_IMAGE = 'valkey/valkey:8-trixie';

/** A Valkey of the calling suite's own, in a container that may be killed and comes back at the same address. */
export class ValkeyServer {
  /** With the password, where it asks for one. */
  readonly url: string;
  readonly #container: StartedTestContainer;

  /** @param options as on the server's command line; it persists unless they say otherwise */
  static async start(options: readonly string[] = [], password = ''): Promise<ValkeyServer> {
    const probe = await probePort('127.0.0.1', 0);
    if ('refused' in probe) throw new Error(`no free port: ${probe.refused}`);
    const container = await new GenericContainer(VALKEY_IMAGE)
      .withCommand([
        'valkey-server',
        '--protected-mode',
        'no',
        '--appendonly',
        'yes',
        '--requirepass',
        password,
        ...options,
      ])
      // Docker gives a port of its own choice away when the container stops.
      .withExposedPorts({ container: 6379, host: probe.port })
      .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
      .start();
    return new ValkeyServer(container, `redis://:${password}@127.0.0.1:${probe.port}`);
  }

  private constructor(container: StartedTestContainer, url: string) {
    this.#container = container;
    this.url = url;
  }

  /** Runs one command on a connection of its own. */
  async command(name: string, ...args: string[]): Promise<unknown> {
    const client = new Redis(this.url, { lazyConnect: true });
    try {
      await client.connect();
      return await client.call(name, ...args);
    } finally {
      client.disconnect();
    }
  }

  /** Ends the server as a crash does. */
  async kill(): Promise<void> {
    await this.#docker((container) => container.kill({ signal: 'SIGKILL' }));
  }

  /** Starts it again after `kill`, with what it had persisted. */
  async restart(): Promise<void> {
    await this.#docker((container) => container.start());
    await this.#untilItAnswers();
  }

  /** Stops it in the middle of whatever it does, without closing a connection. */
  async freeze(): Promise<void> {
    await this.#docker((container) => container.pause());
  }

  async thaw(): Promise<void> {
    await this.#docker((container) => container.unpause());
  }

  async stop(): Promise<void> {
    await this.#container.stop({ timeout: 0 });
  }

  async #docker(work: (container: DockerContainer) => Promise<unknown>): Promise<void> {
    const runtime = await getContainerRuntimeClient();
    await work(runtime.container.getById(this.#container.getId()));
  }

  async #untilItAnswers(): Promise<void> {
    for (const deadline = Date.now() + 20_000; Date.now() < deadline;) {
      const answer = await this.command('PING').catch(() => null);
      if (answer === 'PONG') return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('the server does not come back');
  }
}

type DockerContainer = ReturnType<
  Awaited<ReturnType<typeof getContainerRuntimeClient>>['container']['getById']
>;

import { getContainerRuntimeClient, type GenericContainer, type StartedTestContainer } from 'testcontainers';
import { freePort } from '#process';

type RuntimeClient = Awaited<ReturnType<typeof getContainerRuntimeClient>>;
type Container = ReturnType<RuntimeClient['container']['getById']>;

/** A server in a container, to be killed and frozen; it comes back at the same address with what it kept. */
export class Engine {
  static async start(image: GenericContainer, port: number): Promise<Engine> {
    const host = (await freePort())!;
    // A port of Docker's own choice would be another one after each start.
    const started = await image.withExposedPorts({ container: port, host }).start();
    const runtime = await getContainerRuntimeClient();
    return new Engine(started, runtime.container.getById(started.getId()), `127.0.0.1:${host}`);
  }

  private constructor(
    private readonly started: StartedTestContainer,
    private readonly container: Container,
    readonly address: string,
  ) {}

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    await this.container.kill({ signal: 'SIGKILL' });
  }

  async startAgain(): Promise<void> {
    await this.container.start();
  }

  /** Stops it in the middle of whatever it does, without closing a connection. */
  async freeze(): Promise<void> {
    await this.container.pause();
  }

  async thaw(): Promise<void> {
    await this.container.unpause();
  }

  async stop(): Promise<void> {
    await this.started.stop({ timeout: 0 });
  }
}

/** Reports whether containers can be run here. */
export async function isDockerAvailable(): Promise<boolean> {
  return getContainerRuntimeClient().then(
    () => true,
    () => false,
  );
}

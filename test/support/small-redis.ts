import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

const INFO = 'redis_version:7.2.0\r\nredis_mode:standalone\r\nmaxmemory_policy:noeviction\r\naof_enabled:1\r\n';

/** So much of a Redis that a program connects to it and keeps the connection: for tests without containers. */
export class SmallRedis {
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;

  /** @param password `null` refuses each */
  constructor(
    private readonly password: string | null = 'right',
    private readonly info = INFO,
  ) {}

  /** @returns the URL, with the password `right` */
  async start(): Promise<string> {
    this.#server = createServer((socket) => this.#serve(socket)).listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `redis://:right@127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    let buffered = '';
    socket.setEncoding('utf8').on('error', () => undefined);
    socket.on('data', (text: string) => {
      buffered += text;
      for (let command = take(); command; command = take()) socket.write(this.#replyTo(command));
    });
    /** The next whole command of what was sent. */
    const take = (): string[] | null => {
      const [head, count] = /^\*(\d+)\r\n/.exec(buffered) ?? [];
      if (!head) return null;
      const parts = buffered
        .slice(head.length)
        .split('\r\n')
        .slice(0, Number(count) * 2);
      const length = head.length + parts.join('\r\n').length + 2;
      if (parts.length < Number(count) * 2 || buffered.length < length) return null;
      buffered = buffered.slice(length);
      return parts.filter((_, index) => index % 2 === 1);
    };
  }

  #replyTo([name = '', ...args]: string[]): string {
    if (/^auth$/i.test(name)) {
      return args.at(-1) === this.password ? '+OK\r\n' : '-WRONGPASS invalid username-password pair\r\n';
    }
    if (this.password === null) return '-NOAUTH Authentication required.\r\n';
    if (/^info$/i.test(name)) return `$${this.info.length}\r\n${this.info}\r\n`;
    return /^config$/i.test(name) ? '*2\r\n$4\r\nsave\r\n$0\r\n\r\n' : '+OK\r\n';
  }
}

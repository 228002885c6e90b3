import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A span as the receiver got it. */
export interface ReceivedSpan {
  readonly service: string;
  readonly version: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** 2 when it has failed. */
  readonly status: number;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

type SentSpan = Omit<ReceivedSpan, 'service' | 'version' | 'attributes' | 'status'> & {
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
};

interface SentTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

/** A collector that takes traces by OTLP as JSON over HTTP and keeps them. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** Everything that was sent, as it was sent. */
  text = '';

  readonly #server = createServer((request, response) => {
    if (request.url !== '/v1/traces') return void response.writeHead(404).end();
    json(request).then(
      (sent) => {
        this.#take(sent as SentTraces);
        response.setHeader('Content-Type', 'application/json').end('{}');
      },
      () => response.writeHead(400).end(),
    );
  });

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The spans of a trace. */
  trace(id: string): readonly ReceivedSpan[] {
    return this.spans.filter(({ traceId }) => traceId === id);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(sent: SentTraces): void {
    this.text += JSON.stringify(sent);
    for (const { resource, scopeSpans } of sent.resourceSpans) {
      const { 'service.name': name, 'service.version': number } = attributesOf(resource.attributes);
      const [service, version] = [String(name), String(number)];
      for (const { attributes, status, ...span } of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({ ...span, service, version, attributes: attributesOf(attributes), status: status.code ?? 0 });
      }
    }
  }
}

function attributesOf(sent: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(sent.map(({ key, value }) => [key, Object.values(value)[0]]));
}

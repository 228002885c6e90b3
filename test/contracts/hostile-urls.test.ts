/** @tier test */
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SourceFailure } from '#sources';
import { SafeHttp, SafeRemoteSources } from '#adapters/outgoing-http';
import { openCanary, type Canary } from '../../libs/adapters/outgoing-http/src/testing/canary.ts';
import { openHttpSource, type HttpSource } from '../../libs/adapters/outgoing-http/src/testing/http-source.ts';

/** Addresses of the names in the URLs. Names that are not listed resolve to this machine. */
const NAMES: Record<string, readonly string[]> = {
  'public.test': ['93.184.216.34'],
  'mixed.test': ['93.184.216.34', '127.0.0.1'],
  'mixed6.test': ['2606:2800:220:1::1', '::1'],
  'mixed-families.test': ['93.184.216.34', 'fd00::1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'nat64.test': ['64:ff9b::7f00:1'],
  'zone.test': ['fe80::1%lo'],
  'private.test': ['10.1.2.3'],
  'metadata.test': ['169.254.169.254'],
  'azure.test': ['168.63.129.16'],
  'nothing.test': [''],
};

const own = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .filter(({ internal, address }) => !internal && !address.includes('%') && !address.startsWith('fe80'))
  .map(({ family, address }) => (family === 'IPv6' ? `[${address}]` : address));

const listed = (text: string) => text.trim().split(/\s+/);

/** Hosts to which `http://HOST:PORT/` must not lead. */
const HOSTS = listed(`
  127.0.0.1 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7f.1 0X7F.0x0.0x0.0x1 0177.0.0.1 017700000001
  0000177.0.0.1 127.0.0.1. 0 0.0.0.0 0x0 １２７.０.０.１ 127。0。0。1 ①②⑦.⓪.⓪.① %31%32%37.0.0.1 127.0.0.1%2e
  [::1] [::] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::ffff:127.0.0.1] [::ffff:7f00:1]
  [::127.0.0.1] [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::]
  [2001:0:4136:e378:8000:63bf:80ff:fffe] [fe80::1%25lo] [fe80::1%lo] [::1%25lo]
  10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.170.2 192.0.0.192 100.64.0.1 198.18.0.1 192.0.2.1
  203.0.113.1 224.0.0.1 255.255.255.255 [fc00::1] [fec0::1] [ff02::1] [100::1] [2001:db8::1] [4000::1]
  localhost LOCALHOST localhost. a.localhost loopback.test mixed.test mixed6.test mixed-families.test
  mapped.test nat64.test zone.test private.test nothing.test 127.0.0.1.nip.test`);

/** URLs with `PORT` for the canary's port, which this test opens to all hosts: only the address keeps them from it. */
const HOSTILE: readonly string[] = [
  ...[...HOSTS, ...own].map((host) => `http://${host}:PORT/`),
  // other schemes, and paths
  ...listed(`
    https://127.0.0.1:PORT/ https://[::1]:PORT/ https://loopback.test:PORT/ http://metadata.test/ http://azure.test/
    http://169.254.169.254/latest/meta-data/ http://2852039166/latest/meta-data/
    http://0xa9fea9fe/latest/meta-data/ http://[::ffff:a9fe:a9fe]/latest/meta-data/
    http://[fd00:ec2::254]/latest/meta-data/ http://100.100.100.200/latest/meta-data/
    http://168.63.129.16/machine?comp=goalstate`),
  // who is the host?
  ...listed(`
    http://user:password@public.test:PORT/ http://user@127.0.0.1:PORT/ http://public.test@127.0.0.1:PORT/
    http://public.test:80@127.0.0.1:PORT/ http://:@x@127.0.0.1:PORT/ http://127.0.0.1:PORT#@public.test/
    http://127.0.0.1:PORT?@public.test/ http:127.0.0.1:PORT/ http:/127.0.0.1:PORT/ http:////127.0.0.1:PORT/
    HTTP://127.0.0.1:PORT/`),
  'http://127.0.0.1:PORT\\@public.test/',
  'http:\\\\127.0.0.1:PORT\\',
  ' \thttp://127.0.0.1:PORT/\r\n',
  'ht\ntp://127.0.0\t.1:PORT/',
  'http://127.0.0.1:PORT /',
  'http://127.0.0.1\u0000:PORT/',
  'http://127.0.0.1\u00ad:PORT/',
  // other ports
  ...listed(`
    http://public.test:22/ http://public.test:25/ http://public.test:6379/ http://public.test:8080/
    https://public.test:8443/ http://public.test:0/ http://public.test:65536/ http://public.test:-1/`),
  // other schemes
  ...listed(`
    ftp://127.0.0.1:PORT/ ws://127.0.0.1:PORT/ wss://127.0.0.1:PORT/ gopher://127.0.0.1:PORT/_GET
    dict://127.0.0.1:PORT/d:secret ldap://127.0.0.1:PORT/ unix:/var/run/docker.sock
    http+unix://%2Fvar%2Frun%2Fdocker.sock/info file:///etc/passwd jar:http://127.0.0.1:PORT/!/
    view-source:http://127.0.0.1:PORT/ blob:http://127.0.0.1:PORT/8f0d
    javascript:fetch("http://127.0.0.1:PORT/") data:text/plain,secret about:blank http:// http:/// //`),
  // none
  '',
  'a.png',
];

describe('A hostile URL', () => {
  let canary: Canary;
  let redirector: HttpSource;
  let sources: SafeRemoteSources;

  beforeAll(async () => {
    canary = await openCanary();
    redirector = await openHttpSource((request, response) => {
      const { searchParams } = new URL(request.url!, 'http://redirector');
      // Written byte by byte: a header may hold more than Node would let a string.
      const location = Buffer.from(searchParams.get('to')!)
        .toString('latin1')
        .replace(/[\r\n\0]/g, '');
      response.writeHead(Number(searchParams.get('status')), { location }).end();
    });
    const http = new SafeHttp(
      { allowedHosts: [redirector.host], timeoutSeconds: 5, ports: [80, 443, canary.port] },
      {
        resolve: async (hostname) => NAMES[hostname] ?? ['127.0.0.1'],
        // The worst of networks: whatever address is dialled, the canary responds.
        dial: (options) => connect(`127.0.0.1:${options.port}` === redirector.host ? options : { port: canary.port }),
      },
    );
    sources = new SafeRemoteSources(http);
  });
  afterAll(async () => {
    await redirector.close();
    await canary.close();
  });

  const failureOf = async (url: string): Promise<unknown> =>
    sources.fetchToFile(url, join(tmpdir(), 'never-written'), { maxBytes: 1_000 }).catch((error) => error);

  // A relative or malformed one leads back to the server that gave it.
  const absolute = HOSTILE.filter((url) => !/^(http:(?!\/\/[^/])|\/\/|a\.png|$)/.test(url));

  it.each(HOSTILE)('leads nowhere, by itself or by a redirect: %j', async (hostile) => {
    const url = hostile.replaceAll('PORT', String(canary.port));
    const statuses = absolute.includes(hostile) ? [301, 302, 303, 307, 308] : [];
    const redirects = statuses.map((status) => redirector.url(`/?status=${status}&to=${encodeURIComponent(url)}`));
    const before = canary.connections;
    for (const visited of [url, ...redirects]) {
      const failure = await failureOf(visited);
      expect(failure).toBeInstanceOf(SourceFailure);
      expect(failure).toMatchObject({ code: 'url_blocked', retryable: false });
    }
    expect(canary.connections - before).toBe(0);
  });

  it('was tried in more than 200 ways, none of which reached anything', () => {
    expect(HOSTILE.length + absolute.length).toBeGreaterThan(200);
    expect(canary.connections).toBe(0);
  });

  it('of a public address is sent nothing when the network leads to this machine', async () => {
    for (const host of ['public.test', '93.184.216.34', '[2606:2800:220:1::1]']) {
      for (const scheme of ['http', 'https']) {
        expect(await failureOf(`${scheme}://${host}:${canary.port}/`)).toMatchObject({ code: 'url_blocked' });
      }
    }
    expect(canary.connections).toBeGreaterThan(0);
    expect(canary.bytes).toBe(0);
  });
});

import { describe, expect, it } from '@jest/globals';
import { isPublicAddress, isPublicUrl } from './public-address.ts';
import { mayCall } from './target-policy.ts';

const none: ReadonlySet<string> = new Set();

describe('a public address', () => {
  const listed = (text: string) => text.trim().split(/\s+/);
  const PUBLIC = listed(`
      1.0.0.0 9.255.255.255 11.0.0.0 93.184.216.34 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
      168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.167.255.255
      192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 2606:2800:220:1:248:1893:25c8:1946
      2a00:1450:4001:81b::200e ::ffff:93.184.216.34 64:ff9b::5db8:d822`);
  it.each(PUBLIC)('is %s', (address) => expect(isPublicAddress(address, none)).toBe(true));

  const OTHERS = listed(`
      0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.0 127.255.255.255
      168.63.129.16 169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0 172.31.255.255 192.0.0.192 192.0.2.1
      192.88.99.1 192.168.0.0 192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.0
      240.0.0.0 255.255.255.255 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:168.63.129.16 ::ffff:0:127.0.0.1
      64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::5db8:d822 100::1 1fff:ffff::1 2001::1 2001:2::1 2001:db8::1
      2002:7f00:1:: 3fff::1 4000::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 2606:2800::1%eth0
      fec0::1 ff02::1 localhost 2130706433 0x7f.1`);
  it.each([...OTHERS, ''])('is not %j', (address) => expect(isPublicAddress(address, none)).toBe(false));

  it('is not an address of this machine', () => {
    const own = new Set(['93.184.216.34', '2606:2800::1']);
    expect(isPublicAddress('93.184.216.34', own)).toBe(false);
    expect(isPublicAddress('::ffff:93.184.216.34', own)).toBe(false);
    expect(isPublicAddress('2606:2800:0::0:1', own)).toBe(false);
    expect(isPublicAddress('93.184.216.35', own)).toBe(true);
  });
});

describe('a public URL', () => {
  it.each([
    'http://example.com',
    'https://1.0.0.1:8080/x',
    'https://[2a00:1450:4001:81b::200e]/',
    'https://local.host',
  ])('is %s', (url) => expect(isPublicUrl(url)).toBe(true));

  it.each([
    ...['localhost:3000', 'LOCALHOST', 'localhost.', 'api.localhost', 'printer.local', 'db.internal.', 'nas.lan'],
    ...['router.home.arpa', 'intranet', 'intranet.', '127.0.0.1', '0x7f.1', '2130706433', '10.0.0.1.', '[::1]'],
    ...['[::ffff:10.0.0.1]', '[fe80::1]', '169.254.169.254', '0.0.0.0'],
  ])('is not at %s', (host) => expect(isPublicUrl(`http://${host}/`)).toBe(false));
});

it('a URL may be called if it is public with an open port, or if the operator allows its host and port', () => {
  const allowed = ['127.0.0.1:4444', 'hooks.lan:80', '[::1]:443'];
  for (const url of [
    'https://example.com/',
    'http://example.com:443/',
    'http://127.0.0.1:4444/x',
    'http://hooks.lan',
    'https://[::1]/',
  ]) {
    expect([url, mayCall(url, allowed)]).toEqual([url, true]);
  }
  const refused = ['http://127.0.0.1:4445/', 'http://127.0.0.1/', 'https://hooks.lan', 'http://[::1]/'];
  const closed = ['https://example.com:8080/', 'ftp://example.com/', 'https://user:word@example.com/', 'x'];
  for (const url of [...refused, ...closed]) {
    expect([url, mayCall(url, allowed)]).toEqual([url, false]);
  }
});

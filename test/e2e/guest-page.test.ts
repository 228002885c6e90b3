/** @tier test */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { withoutToken } from '../../apps/api/src/http/request-log.ts';
import { startService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

const token = () => randomBytes(32).toString('base64url');

describe('the page of guests', () => {
  const service = useService({}, { worker: false });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(new URL(path, service.baseUrl), { headers });
  const withoutNonce = (text: string) => text.replaceAll(/nonce="[^"]+"/g, '');

  it('is the same for every token, and does not name it', async () => {
    const [one, other] = [token(), token()];
    const [first, second] = [await get(`/s/${one}`), await get(`/s/${other}`)];
    expect([first.status, second.status]).toEqual([200, 200]);
    const [page, same] = [await first.text(), await second.text()];
    expect(page).toContain('<div id="guest">');
    expect(withoutNonce(page)).toBe(withoutNonce(same));
    expect(page).not.toContain(one);
    expect(page).not.toContain('__NONCE__');
  });

  it('is found by no search engine, sends no referrer, and runs only its own scripts', async () => {
    const response = await get(`/s/${token()}`);
    expect(response.headers.get('x-robots-tag')).toBe('noindex, nofollow');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-");
    expect(policy).not.toContain('unsafe');
    const nonce = /'nonce-([^']+)'/.exec(policy)![1]!;
    expect((await get(`/s/${token()}`)).headers.get('content-security-policy')).not.toContain(nonce);
  });

  it('is not at other paths', async () => {
    for (const path of ['/s', '/s/', `/s/${token()}/more`, '/s/assets/gone-12345678.js', '/s/a.b', '/shared']) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
  });

  it('is not there with CONSOLE_ENABLED=false', async () => {
    const without = await startService({ CONSOLE_ENABLED: 'false' }, { worker: false });
    expect((await fetch(`${without.baseUrl}/s/${token()}`)).status).toBe(404);
    await without.stop();
  });
});

describe('the log of requests', () => {
  it.each([
    ['/s/abc-DEF_1', '/s/…'],
    ['/v2/shared/abc-DEF_1/media/7/comments', '/v2/shared/…/media/7/comments'],
    ['/s/assets/index-1234.js', '/s/assets/index-1234.js'],
    ['/v2/shares/7', '/v2/shares/7'],
    ['/S/abc-DEF_1', '/S/…'],
    ['/V2/Shared/abc-DEF_1/zip', '/V2/Shared/…/zip'],
    ['/v2/downloads/abc-DEF_1', '/v2/downloads/…'],
    ['/V2/DOWNLOADS/abc-DEF_1', '/V2/DOWNLOADS/…'],
    ['/v2/downloads', '/v2/downloads'],
    ['http://x12.test/v2/downloads/abc-DEF_1', 'http://x12.test/v2/downloads/…'],
    ['/files/abc-DEF_1/picture.png', '/files/…/picture.png'],
    ['/v2/files/7', '/v2/files/7'],
  ])('has %s as %s', (path, logged) => {
    expect(withoutToken(path)).toBe(logged);
  });
});

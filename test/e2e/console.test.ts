/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { startService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

describe('the console', () => {
  const service = useService({}, { worker: false });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(new URL(path, service.baseUrl), { headers });

  async function script(): Promise<string> {
    return /src="([^"]+\.js)"/.exec(await (await get('/console')).text())![1]!;
  }

  it.each(['/console', '/console/', '/console/boards/12'])('is the same page at %s', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.text()).toContain('<div id="console">');
  });

  it('allows only itself, and styles with the nonce of this response', async () => {
    const [first, second] = [await get('/console'), await get('/console')];
    const policy = first.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'nonce-");
    expect(policy.replace("'wasm-unsafe-eval'", '')).not.toContain('unsafe');
    const nonce = /'nonce-([^']+)'/.exec(policy)![1]!;
    const page = await first.text();
    expect(page).toContain(`nonce="${nonce}"`);
    expect(page).not.toContain('__NONCE__');
    expect(second.headers.get('content-security-policy')).not.toContain(nonce);
  });

  it('gives its assets compressed, and for good', async () => {
    const path = await script();
    for (const [accepted, encoding] of [
      ['gzip', 'gzip'],
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip, br;q=0', 'gzip'],
    ] as const) {
      const response = await get(path, { 'accept-encoding': accepted });
      expect(response.headers.get('content-encoding')).toBe(encoding);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      // Only the console's own page reads its files: headers for others would be 10 kB of the first view.
      expect(response.headers.get('access-control-expose-headers')).toBeNull();
      expect(response.headers.get('vary')).toContain('Accept-Encoding');
      expect(await response.text()).toContain('console');
    }
    expect((await get(path, { 'accept-encoding': 'identity' })).headers.get('content-encoding')).toBeNull();
  });

  it('has no page at the path of a missing asset, and none outside', async () => {
    for (const path of ['/console/assets/gone-12345678.js', '/consoles', '/console/../boards/12x']) {
      const response = await get(path);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(response.ok).toBe(false);
    }
  });

  it('is not there with CONSOLE_ENABLED=false', async () => {
    const without = await startService({ CONSOLE_ENABLED: 'false' }, { worker: false });
    expect((await fetch(`${without.baseUrl}/console`)).status).toBe(404);
    await without.stop();
  });
});

interface Cookie {
  readonly value: string;
  readonly path: string;
}

/** A `fetch` that keeps the cookies of the service it calls, and sends them back as a page of the service does. */
export function keepingCookies(send: typeof globalThis.fetch = globalThis.fetch): typeof globalThis.fetch {
  const jar = new Map<string, Cookie>();
  return async (input, init) => {
    const request = new Request(input, init);
    const { origin, pathname } = new URL(request.url);
    const sent = [...jar].filter(([, { path }]) => isBelow(pathname, path));
    if (sent.length > 0) {
      request.headers.set('Cookie', sent.map(([name, { value }]) => `${name}=${value}`).join('; '));
      request.headers.set('Origin', origin);
    }
    const response = await send(request);
    for (const text of response.headers.getSetCookie()) keep(jar, text);
    return response;
  };
}

function isBelow(pathname: string, path: string): boolean {
  return path === '/' || pathname === path || pathname.startsWith(`${path}/`);
}

function keep(jar: Map<string, Cookie>, text: string): void {
  const [pair = '', ...attributes] = text.split(';').map((part) => part.trim());
  const [name = '', value = ''] = pair.split(/=(.*)/s);
  const attribute = (wanted: string) =>
    attributes.find((each) => each.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
  const [age, expires] = [attribute('max-age'), attribute('expires')];
  const isOver = age === undefined ? expires !== undefined && Date.parse(expires) <= Date.now() : Number(age) <= 0;
  if (isOver) jar.delete(name);
  else jar.set(name, { value, path: attribute('path') ?? '/' });
}

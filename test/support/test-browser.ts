/** Follows redirects one at a time, with the cookies of each origin. */
export class TestBrowser {
  readonly #jars = new Map<string, Map<string, string>>();

  /** Cookies of an origin by name. */
  cookiesOf(origin: string): Map<string, string> {
    if (!this.#jars.has(origin)) this.#jars.set(origin, new Map());
    return this.#jars.get(origin)!;
  }

  /** @returns the address of a redirect; `null` for a response that is none */
  async open(
    url: string,
    init: RequestInit = {},
  ): Promise<{ readonly response: Response; readonly to: string | null }> {
    const jar = this.cookiesOf(new URL(url).origin);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...init, headers: { ...init.headers, cookie }, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = /^([^=]+)=([^;]*)/.exec(line)!.slice(1) as [string, string];
      const until = /expires=([^;]+)/i.exec(line)?.[1];
      if (value === '' || (until && Date.parse(until) < Date.now())) jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get('location');
    return { response, to: location === null ? null : new URL(location, url).href };
  }

  /** Follows redirects until one leads to an address that `stop` accepts. @returns this address, which is not opened */
  async follow(url: string, stop: (url: string) => boolean): Promise<string> {
    for (let at: string | null = url, count = 0; at !== null && count < 20; count++) {
      if (stop(at)) return at;
      ({ to: at } = await this.open(at));
    }
    throw new Error('the redirects did not lead there');
  }
}

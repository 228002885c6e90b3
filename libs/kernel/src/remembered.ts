type Method = (...args: unknown[]) => Promise<unknown>;

/**
 * A port whose results are kept: a call with the same arguments is made once, unless its result is `null`. For the reads of
 * one unit of work. The arguments must be JSON.
 */
export function remembered<T extends object>(port: T): T {
  const results = new Map<string, Promise<unknown>>();
  return new Proxy(port, {
    get: (target, name) => {
      const method = target[name as keyof T] as Method;
      return (...args: unknown[]) => {
        const key = `${String(name)} ${JSON.stringify(args)}`;
        const result = results.get(key) ?? method.apply(target, args);
        results.set(key, result);
        void result.then((found) => found === null && results.delete(key)).catch(() => undefined);
        return result;
      };
    },
  });
}

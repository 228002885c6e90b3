import { createServer } from 'node:http';
import pg from 'pg';

/** The response of a bare handler to a path: these statements, one after the other; the last rows are the response. */
export interface BareRoute {
  readonly status: number;
  /** `:0`, `:1` … among the values are the numbers of the path `/<name>/<number>/<number>…`. */
  readonly statements: readonly { readonly text: string; readonly values: readonly unknown[] }[];
}

/** node:http and pg alone, for comparison: routes and database come from the parent. */
process.once('message', ({ databaseUrl, routes }: { databaseUrl: string; routes: Record<string, BareRoute> }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  pool.on('error', () => undefined);
  const server = createServer((request, response) => {
    void (async () => {
      const [name, ...numbers] = request.url!.slice(1).split('/') as [string, ...string[]];
      const { status, statements } = routes[name]!;
      request.resume();
      const client = await pool.connect();
      let json = '';
      for (const [index, { text, values }] of statements.entries()) {
        const given = values.map((value) => (/^:\d$/.test(String(value)) ? numbers[Number(String(value)[1])] : value));
        const { rows } = await client.query({ name: `${name}-${index}`, text, values: given });
        // A commit has none.
        if (rows.length > 0) json = (rows[0] as { json?: string }).json ?? JSON.stringify({ rows });
      }
      client.release();
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(`{"status":true,${json.slice(1)}`);
    })();
  });
  server.listen(0, '127.0.0.1', () => process.send!(server.address()));
});
process.once('disconnect', () => process.exit());

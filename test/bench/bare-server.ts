import { createServer } from 'node:http';
import pg from 'pg';

/** What a bare handler does for a path: these statements, one after the other, the last one's answer as it is. */
export interface BareRoute {
  readonly status: number;
  readonly statements: readonly { readonly text: string; readonly values: readonly unknown[] }[];
}

/** node:http and pg alone, for comparison: routes and database come from the parent. */
process.once('message', ({ databaseUrl, routes }: { databaseUrl: string; routes: Record<string, BareRoute> }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const server = createServer((request, response) => {
    void (async () => {
      const name = request.url!.slice(1);
      const { status, statements } = routes[name]!;
      request.resume();
      let json = '';
      for (const [index, { text, values }] of statements.entries()) {
        const { rows } = await pool.query({ name: `${name}-${index}`, text, values: [...values] });
        const [row] = rows as { json?: string }[];
        json = row?.json ?? JSON.stringify(row);
      }
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(`{"status":true,${json.slice(1)}`);
    })();
  });
  server.listen(0, '127.0.0.1', () => process.send!(server.address()));
});
process.once('disconnect', () => process.exit());

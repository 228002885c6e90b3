import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';

/** One statement: token, membership, the caller's first persona, insert. */
const ALLOCATE = `
  insert into uploads (workspace_id, user_id, persona_id, state, token, filename, created_at, expires_at, clean_up_at)
  select membership.workspace_id, caller.user_id, persona.id, 'allocated', $2, $3, $4, $5, $6
  from api_tokens caller
  cross join lateral (
    select workspace_id from memberships where user_id = caller.user_id order by is_team desc limit 1) membership
  cross join lateral (
    select id from personas
    where workspace_id = membership.workspace_id and created_by = caller.user_id and deletion_id is null
    order by id limit 1) persona
  where caller.hash = $1 and (caller.expires_at is null or caller.expires_at > now())
  returning id`;

/** node:http and pg alone, for comparison: inserts an upload in one statement, and signs its URL. */
process.once('message', ({ databaseUrl }: { databaseUrl: string }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const filename = new URLSearchParams(body).get('filename');
      const hash = createHash('sha256').update(request.headers.authorization!.slice(7)).digest();
      const token = randomBytes(24).toString('base64url');
      const now = Date.now();
      const [expires, cleanUp] = [new Date(now + 3_600_000), new Date(now + 86_400_000)];
      const values = [hash, token, filename, new Date(now), expires, cleanUp];
      const { rows } = await pool.query<{ id: number }>({ name: 'allocate', text: ALLOCATE, values });
      const limits = `expires=${expires.getTime()}&max_bytes=1000000`;
      const signature = createHmac('sha256', 'secret').update(`PUT\nstaging/${token}\n${limits}`).digest('base64url');
      const signed_url = `http://127.0.0.1/storage/staging/${token}?${limits}&signature=${signature}`;
      const final_url = `http://127.0.0.1/files/${token}/${filename}`;
      const ticket = { status: true, upload_id: rows[0]!.id, signed_url, final_url, expires_at: expires, headers: {} };
      response.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify(ticket));
    })();
  });
  server.listen(0, '127.0.0.1', () => process.send!(server.address()));
});
process.once('disconnect', () => process.exit());

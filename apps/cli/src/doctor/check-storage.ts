import { randomUUID } from 'node:crypto';
import type { ObjectStorage } from '#upload';
import { Ill, type Check } from './check.ts';

const ORIGIN = 'https://doctor.example';
const KEEP_SECONDS = 600;
const TEXT = Buffer.from('{"asset":{"version":"2.0"}}');

/** Does with the storage what a browser and the service do: signed PUT, publish, read in public, delete. */
export function checkStorage(storage: ObjectStorage): Check {
  return {
    name: 'storage',
    run: async () => {
      const name = `doctor-${randomUUID()}`;
      const [staged, published] = [`staging/${name}`, `files/${name}/doctor.gltf`];
      const expiresAt = new Date(Date.now() + KEEP_SECONDS * 1000);
      try {
        const { url, headers } = await storage.signPut(staged, { expiresAt, maxBytes: TEXT.length });
        await preflight(url);
        await answered(await send(url, { method: 'PUT', body: TEXT, headers }), 'a signed PUT');
        const object = await storage.copy(staged, published, {
          headers: { contentType: 'model/gltf+json', expiresAt },
        });
        if (!object)
          throw new Ill(
            'what was PUT is not there',
            'see that S3_ENDPOINT and its public address are the same store',
          );
        const read = await send(storage.publicUrl(published), { headers: { origin: ORIGIN } });
        await answered(read, 'reading a public URL');
        if (!Buffer.from(await read.arrayBuffer()).equals(TEXT)) {
          throw new Ill('the public URL shows something else', 'see what PUBLIC_URL leads to');
        }
        allowsOrigin(read, 'GET');
      } finally {
        await storage.delete([staged, published]);
      }
      return 'written by a signed URL, read in public, deleted; browsers may do so from any page';
    },
  };
}

async function preflight(url: string): Promise<void> {
  const answer = await send(url, {
    method: 'OPTIONS',
    headers: {
      origin: ORIGIN,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type,cache-control,expires',
    },
  });
  allowsOrigin(answer, 'PUT');
}

function allowsOrigin(answer: Response, method: string): void {
  const allowed = answer.headers.get('access-control-allow-origin');
  if (allowed === '*' || allowed === ORIGIN) return;
  throw new Ill(
    `browsers may not ${method} from other origins`,
    'allow the origins of your pages (CORS) in the storage',
  );
}

async function answered(answer: Response, what: string): Promise<void> {
  if (answer.ok) return;
  throw new Ill(
    `${what} was answered with ${answer.status}`,
    'see the rights of the credentials and of the public',
  );
}

async function send(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...request, signal: AbortSignal.timeout(10_000) });
  } catch (cause) {
    throw new Ill(
      `${new URL(url).origin} can not be reached`,
      'start the API, and see that PUBLIC_URL is its address',
      {
        cause,
      },
    );
  }
}

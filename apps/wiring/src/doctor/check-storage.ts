import { randomUUID } from 'node:crypto';
import { type ObjectStorage, probeKey, type StoredUrls } from '#files';
import { demand, Ill } from './check.ts';

const ORIGIN = 'https://doctor.example';
const KEEP_SECONDS = 600;
const TEXT = Buffer.from('{"asset":{"version":"2.0"}}');

/** Uses the storage like a browser and the service: signed PUT, publish, public read, delete. */
export async function checkStorage(storage: ObjectStorage, urls: StoredUrls): Promise<string> {
  const id = randomUUID();
  const [staged, frozen, published] = [`staging/doctor-${id}`, `frozen/doctor-${id}`, probeKey(id)];
  const expiresAt = new Date(Date.now() + KEEP_SECONDS * 1000);
  await reach(storage, published);
  try {
    const url = await storage.signPut(staged, { expiresAt, maxBytes: TEXT.length });
    await preflight(url);
    await succeeded(await send(url, { method: 'PUT', body: TEXT }), 'a signed PUT');
    const object = await storage.copy(staged, published, { headers: { contentType: 'model/gltf+json', expiresAt } });
    demand(
      !!object,
      'the uploaded object does not exist',
      'see that S3_ENDPOINT and its public address are the same store',
    );
    const read = await send(urls.plainUrlOf(published), { headers: { origin: ORIGIN } });
    await succeeded(read, 'reading a public URL');
    demand(
      Buffer.from(await read.arrayBuffer()).equals(TEXT),
      'the public URL returns other bytes',
      'see what PUBLIC_URL, or with a bucket S3_PUBLIC_URL, leads to',
    );
    allowsOrigin(read, 'GET');
    await storage.copy(staged, frozen, {});
    const root = url.slice(0, url.indexOf(staged));
    for (const path of [staged, frozen, '?list-type=2&max-keys=1']) await isPrivate(`${root}${path}`);
  } finally {
    await storage.delete([staged, frozen, published]);
  }
  return 'written by a signed URL, read in public, deleted; browsers may do so from any page; the rest is private';
}

/** Checks that the service reaches the storage; the cause of an error has the reason. */
async function reach(storage: ObjectStorage, key: string): Promise<void> {
  try {
    await storage.head(key);
  } catch (error) {
    const { message, cause } = error as Error;
    throw new Ill(cause instanceof Error ? cause.message : message, 'see the settings of the storage', {
      cause: error,
    });
  }
}

/** Expects that the URL can't be read without a signature. */
async function isPrivate(url: string): Promise<void> {
  const response = await send(url, {});
  demand(
    !response.ok,
    `anybody can read ${new URL(url).pathname}, which is private`,
    'let the public read files/* alone: run `npm run cli -- storage setup`, and look for other statements of the ' +
      'policy',
  );
}

async function preflight(url: string): Promise<void> {
  const response = await send(url, {
    method: 'OPTIONS',
    headers: {
      origin: ORIGIN,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type,cache-control,expires',
    },
  });
  allowsOrigin(response, 'PUT');
}

function allowsOrigin(response: Response, method: string): void {
  demand(
    ['*', ORIGIN].includes(response.headers.get('access-control-allow-origin') ?? ''),
    `browsers may not ${method} from other origins`,
    'allow the origins of your pages (CORS) in the storage: with a bucket, run `npm run cli -- storage setup`',
  );
}

const RIGHTS = 'see the rights of the credentials and of the public: with a bucket, run `npm run cli -- storage setup`';
const STATE = 'see the space on the disk of the storage, and its log';

async function succeeded(response: Response, what: string): Promise<void> {
  if (response.ok) return;
  const { status } = response;
  throw new Ill(`${what} failed with status ${status}${await reasonOf(response)}`, status < 500 ? RIGHTS : STATE);
}

/** The reason in the storage's response: JSON from the API, XML from a bucket. */
async function reasonOf(response: Response): Promise<string> {
  const body = await response.text().catch(() => '');
  const { reason } = /"message":"(?<reason>[^"]+)"|<Code>(?<reason>[^<]+)</.exec(body)?.groups ?? {};
  return reason ? `: ${reason}` : '';
}

async function send(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...request, signal: AbortSignal.timeout(10_000) });
  } catch (cause) {
    throw new Ill(
      `${new URL(url).origin} cannot be reached`,
      'see PUBLIC_URL and whether the API runs, or with a bucket S3_PUBLIC_ENDPOINT and S3_PUBLIC_URL',
      { cause },
    );
  }
}

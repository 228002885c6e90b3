import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '#kernel';
import { contentOf } from '#testing/files';
import { openHttpSource, type HttpSource } from '../../outgoing-http/src/testing/http-source.ts';
import { bucketUrl } from './bucket-url.ts';
import { S3ObjectStorage } from './s3-object-storage.ts';

const PICTURE = { contentType: 'image/png' };
const OBJECT = { etag: '"e"', 'last-modified': 'Sat, 14 Mar 2026 09:26:53 GMT' };

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** A store whose responses the tests write. */
let store: HttpSource;
let onRequest: Respond;
let requests: string[];
let opened: S3ObjectStorage[];
let storage: S3ObjectStorage;
beforeEach(async () => {
  [requests, opened] = [[], []];
  onRequest = (_request, response) => response.writeHead(500).end();
  store = await openHttpSource((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => onRequest(request, response));
  });
  storage = open();
});
afterEach(async () => {
  for (const each of opened) each.close();
  await store.close();
});

/** Closed at the end of the test. */
function open(differences: { bucket?: string; endpoint?: string; patienceMs?: number } = {}): S3ObjectStorage {
  const endpoint = store.url('');
  // As settings are.
  const credentials = Object.freeze({ accessKeyId: 'key', secretAccessKey: 'secret' });
  const place = { bucket: 'bucket', region: 'us-east-1', endpoint, publicEndpoint: null, forcePathStyle: true };
  const storage = new S3ObjectStorage({ ...place, credentials, patienceMs: 150, clock: systemClock, ...differences });
  opened.push(storage);
  return storage;
}
const calls = {
  head: (on = storage) => on.head('files/a/a.png'),
  open: async (on = storage) => contentOf(await on.open('files/a/a.png')),
  put: (on = storage) => on.put('files/a/a.png', { bytes: Buffer.from('bytes') }, PICTURE),
  'put of a file': (on = storage) => on.put('files/a/a.png', { file: import.meta.filename }, PICTURE),
  copy: (on = storage) => on.copy('staging/a', 'frozen/a', { ifMatch: '"e"' }),
  delete: (on = storage) => on.delete(['staging/a', 'staging/b']),
  list: async (on = storage) => {
    for await (const batch of on.list('files/')) expect(batch).toBeDefined();
  },
  tidy: (on = storage) => on.tidy(),
} as const;
const unavailable = (advice: RegExp) => ({
  code: 'unavailable',
  message: 'the object storage does not work now; try again',
  cause: expect.objectContaining({ message: expect.stringMatching(advice) }),
});
const error = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>m</Message></Error>`;
const respond =
  (body?: string | Buffer, headers: Record<string, string | number> = OBJECT): Respond =>
  (_request, response) =>
    response.writeHead(200, headers).end(body);
const refuse =
  (status: number, code: string, headers: Record<string, string> = {}): Respond =>
  (request, response) =>
    response
      .writeHead(status, { 'content-type': 'application/xml', ...headers })
      .end(request.method === 'HEAD' ? undefined : error(code));

describe('a store that fails makes every call unavailable', () => {
  const names = Object.keys(calls) as (keyof typeof calls)[];
  /** Makes all calls at once, each to a bucket of its own, and tells how each one failed. */
  const failures = (patienceMs: number) =>
    Promise.all(
      names.map(async (name, index) => {
        const bucket = open({ bucket: `bucket-${index}`, patienceMs });
        return [name, await calls[name](bucket).catch((error: unknown) => error)];
      }),
    );

  it('when it responds 500, after three attempts at most', async () => {
    onRequest = refuse(500, 'InternalError');
    const refusal = expect.objectContaining(unavailable(/it responded with 500/));
    expect(await failures(5_000)).toEqual(names.map((name) => [name, refusal]));
    const attempts = names.map((_, index) => requests.filter((each) => each.includes(`/bucket-${index}`)).length);
    expect(attempts).toEqual(names.map((name) => (name === 'put of a file' ? 1 : 3)));
  });

  it('when it does not respond, or drops the connection', async () => {
    onRequest = () => undefined;
    const refusal = expect.objectContaining(unavailable(/no response in time.*S3_ENDPOINT/));
    expect(await failures(150)).toEqual(names.map((name) => [name, refusal]));
    onRequest = (request) => request.socket.destroy();
    const dropped = expect.objectContaining({ code: 'unavailable', cause: expect.any(Error) });
    expect(await failures(150)).toEqual(names.map((name) => [name, dropped]));
  });
});

describe('a store that fails', () => {
  it('once is retried', async () => {
    onRequest = (request, response) => {
      const next =
        requests.length === 1 ? refuse(503, 'SlowDown') : respond(undefined, { ...OBJECT, 'content-length': 5 });
      next(request, response);
    };
    expect(await storage.head('files/a/a.png')).toMatchObject({ size: 5, etag: '"e"' });
  });

  it('to listen at all is unavailable, but for what is signed without a request', async () => {
    const nowhere = open({ endpoint: 'http://127.0.0.1:1' });
    await expect(nowhere.head('files/a/a.png')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await nowhere.signPut('staging/a', { expiresAt: new Date(Date.now() + 60_000) })).toMatch(/^http:/);
  });

  it('to be one of S3 is unavailable', async () => {
    onRequest = respond('<p>Welcome<br></html>', { 'content-type': 'text/html' });
    for (const call of [calls.list, calls.delete]) await expect(call()).rejects.toMatchObject(unavailable(/./));
  });
});

describe('an object that is read', () => {
  it.each<[string, RegExp, (response: ServerResponse) => void]>([
    ['are cut off', /./, (response) => setTimeout(() => response.destroy(), 20)],
    ['stop coming', /no response in time/, () => undefined],
    ['are fewer than announced', /./, (response) => response.socket!.end()],
  ])('is unavailable where its bytes %s', async (_, advice, then) => {
    onRequest = (_request, response) => {
      response.writeHead(200, { ...OBJECT, 'content-length': 1000 }).write('some');
      then(response);
    };
    await expect(calls.open(open({ patienceMs: 50 }))).rejects.toMatchObject(unavailable(advice));
  });

  it('may be read slowly', async () => {
    onRequest = respond(Buffer.alloc(400_000), { ...OBJECT, 'content-length': 400_000 });
    let size = 0;
    for await (const chunk of (await open({ patienceMs: 50 }).open('files/a/a.png'))!) {
      if (size === 0) await new Promise((resolve) => setTimeout(resolve, 400));
      size += (chunk as Buffer).length;
    }
    expect(size).toBe(400_000);
  });

  it('ends its request when the reader stops', async () => {
    const ended = Promise.withResolvers<void>();
    onRequest = (_request, response) => {
      response.on('close', ended.resolve);
      response.writeHead(200, { ...OBJECT, 'content-length': 1e9 }).write(Buffer.alloc(100_000));
    };
    for await (const chunk of (await storage.open('files/a/a.png'))!) {
      expect(chunk).toBeDefined();
      break;
    }
    await ended.promise;
  });
});

describe('a store that refuses', () => {
  it.each([
    [403, 'AccessDenied', /lack a right/],
    [403, 'InvalidAccessKeyId', /AWS_ACCESS_KEY_ID/],
    [403, 'SignatureDoesNotMatch', /AWS_SECRET_ACCESS_KEY/],
    [403, 'RequestTimeTooSkewed', /clocks/],
    [400, 'AuthorizationHeaderMalformed', /another region.*S3_REGION/],
    [301, 'PermanentRedirect', /another region.*S3_REGION/],
    [404, 'NoSuchBucket', /S3_BUCKET.*storage setup/],
  ])('with %i %s is unavailable, and the log says what to change', async (status, code, advice) => {
    onRequest = refuse(status, code, { 'x-amz-bucket-region': 'eu-west-1' });
    for (const call of [calls.open, calls.put, calls.delete, calls.list]) {
      await expect(call()).rejects.toMatchObject(unavailable(advice));
    }
  });

  it.each([
    [403, /AWS_ACCESS_KEY_ID.*rights/],
    [400, /S3_REGION/],
    [301, /S3_REGION/],
  ])('HEAD with %i, which has no words, is unavailable all the same', async (status, advice) => {
    onRequest = refuse(status, '', { 'x-amz-bucket-region': 'eu-west-1' });
    for (const call of [calls.head, calls.copy]) await expect(call()).rejects.toMatchObject(unavailable(advice));
  });

  it('follows no redirect', async () => {
    onRequest = refuse(307, 'TemporaryRedirect', { location: 'http://127.0.0.1:1/elsewhere' });
    await expect(calls.open()).rejects.toMatchObject({ code: 'unavailable' });
  });
});

it('HEAD that finds nothing means that there is no object where the bucket is, else it is unavailable', async () => {
  onRequest = (_request, response) => response.writeHead(404).end();
  await expect(storage.head('files/a/a.png')).rejects.toMatchObject(unavailable(/no such bucket/));
  requests = [];
  onRequest = ({ url }, response) => response.writeHead(url === '/bucket/' || url === '/bucket' ? 200 : 404).end();
  expect(await storage.head('files/a/a.png')).toBeNull();
  expect(await storage.head('files/a/b.png')).toBeNull();
  expect(requests.filter((request) => !request.includes('files'))).toHaveLength(1);
});

describe('a copy', () => {
  const copied = respond('<?xml version="1.0"?><CopyObjectResult><ETag>"e"</ETag></CopyObjectResult>');
  /** Responds by method. */
  const byMethod = (responses: Readonly<Record<string, Respond>>) => {
    onRequest = (request, response) => responses[request.method!]!(request, response);
  };

  it('that the store only pretends to make is none', async () => {
    byMethod({
      PUT: copied,
      HEAD: ({ url }, response) => response.writeHead(url!.includes('staging') ? 200 : 404, OBJECT).end(),
    });
    expect(await calls.copy()).toBeNull();
  });

  it('of something else than was seen is taken back', async () => {
    let etag = '"e"';
    byMethod({
      PUT: (request, response) => {
        etag = '"changed"';
        copied(request, response);
      },
      HEAD: (_request, response) => response.writeHead(200, { ...OBJECT, etag }).end(),
      POST: respond('<?xml version="1.0"?><DeleteResult></DeleteResult>'),
    });
    expect(await calls.copy()).toBeNull();
    expect(requests.at(-1)).toMatch(/^POST \/bucket\/?\?delete/);
  });

  it('that fails after its response began is unavailable', async () => {
    byMethod({ HEAD: respond(), PUT: respond(error('InternalError')) });
    await expect(calls.copy()).rejects.toMatchObject({ code: 'unavailable' });
  });
});

it('a list of parts comes in pages', async () => {
  const part = (number: number) =>
    `<Part><PartNumber>${number}</PartNumber><ETag>"${number}"</ETag><Size>5</Size></Part>`;
  const more = '<IsTruncated>true</IsTruncated><NextPartNumberMarker>2</NextPartNumberMarker>';
  onRequest = (request, response) => {
    const isSecond = request.url!.includes('part-number-marker=2');
    const page = isSecond ? part(3) : `${more}${part(1)}${part(2)}`;
    response.writeHead(200).end(`<?xml version="1.0"?><ListPartsResult>${page}</ListPartsResult>`);
  };
  expect(await storage.parts.list({ key: 'staging/a', id: 'id', count: 3 })).toEqual(
    [1, 2, 3].map((number) => ({ number, size: 5, etag: `"${number}"` })),
  );
});

it('a deletion that fails for some objects is unavailable; missing objects are ignored', async () => {
  const failing = (code: string) => {
    const failed = `<Error><Key>staging/a</Key><Code>${code}</Code></Error>`;
    onRequest = respond(`<?xml version="1.0"?><DeleteResult>${failed}</DeleteResult>`);
    return calls.delete();
  };
  await expect(failing('InternalError')).rejects.toMatchObject({ code: 'unavailable' });
  await failing('NoSuchKey');
});

it('the base of public URLs is the bucket at the endpoint that clients use, by path or by host', () => {
  const place = { bucket: 'b', region: 'eu-west-1', endpoint: 'http://store:7480', publicEndpoint: null };
  expect(bucketUrl({ ...place, forcePathStyle: true })).toBe('http://store:7480/b');
  const behind = { ...place, publicEndpoint: 'https://s3.example.com/a/', forcePathStyle: true };
  expect(bucketUrl(behind)).toBe('https://s3.example.com/a/b');
  const amazon = { ...place, endpoint: null, forcePathStyle: false };
  expect(bucketUrl(amazon)).toBe('https://b.s3.eu-west-1.amazonaws.com/');
});

describe('a stream of unknown size', () => {
  const MEBIBYTE = 1024 ** 2;
  const inParts: typeof onRequest = ({ method, url = '' }, response) => {
    const body =
      method !== 'POST'
        ? undefined
        : url.includes('uploads')
          ? '<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>'
          : '<CompleteMultipartUploadResult><ETag>"e"</ETag></CompleteMultipartUploadResult>';
    response.writeHead(method === 'DELETE' ? 204 : 200, OBJECT).end(body);
  };
  const made = () => requests.map((each) => each.replace(/\/bucket\/exports\/a\.zip|&?x-id=\w+/g, ''));
  async function* chunks(count: number, failure?: Error) {
    for (let index = 0; index < count; index++) yield Buffer.alloc(MEBIBYTE);
    if (failure) throw failure;
  }

  it('is sent in parts of 64 MiB, which are joined', async () => {
    onRequest = inParts;
    await storage.putStream('exports/a.zip', chunks(65), { contentType: 'application/zip' });
    expect(made()).toEqual([
      'POST ?uploads=',
      'PUT ?partNumber=1&uploadId=u',
      'PUT ?partNumber=2&uploadId=u',
      'POST ?uploadId=u',
      'HEAD ',
    ]);
  });

  it('that fails is abandoned with its parts', async () => {
    onRequest = inParts;
    const stored = storage.putStream('exports/a.zip', chunks(65, new Error('no more bytes')), PICTURE);
    await expect(stored).rejects.toThrow('no more bytes');
    expect(made()).toEqual(['POST ?uploads=', 'PUT ?partNumber=1&uploadId=u', 'DELETE ?uploadId=u']);
  });
});

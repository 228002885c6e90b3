import { expect, it } from '@jest/globals';
import { readSettings } from '#config';
import { asSeenFromHere } from './seen-from-here.ts';

const bucket = { S3_BUCKET: 'x12', S3_ENDPOINT: 'http://s3:7480', S3_PUBLIC_ENDPOINT: 'http://localhost:9000' };
const read = (env: Record<string, string>) => readSettings({ PUBLIC_URL: 'http://localhost:3000', ...bucket, ...env });

it('in a container, addresses of clients on localhost are replaced by addresses of the service', () => {
  const seen = asSeenFromHere(read({ HOST: 'api' }));
  expect(seen.http.publicUrl).toBe('http://api:3000');
  expect(seen.storage).toMatchObject({ publicEndpoint: null, endpoint: 'http://s3:7480' });
  expect(asSeenFromHere(read({ HOST: '0.0.0.0' })).http.publicUrl).toBe('http://127.0.0.1:3000');
});

it('other addresses of clients are checked', () => {
  const local = read({ HOST: '127.0.0.1' });
  expect(asSeenFromHere(local)).toBe(local);
  const real = read({ HOST: 'api', PUBLIC_URL: 'https://x.example', S3_PUBLIC_ENDPOINT: 'https://s3.x.example' });
  expect(asSeenFromHere(real)).toBe(real);
});

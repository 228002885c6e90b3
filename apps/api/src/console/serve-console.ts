import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Request, RequestHandler, Response } from 'express';
import type { Settings } from '#config';

/** Where `npm run build` writes the page, relative to this file (TypeScript or compiled). */
const BUILT = extname(import.meta.url) === '.ts' ? '../../../../dist/console' : '../../../../console';
const FOLDER = fileURLToPath(new URL(BUILT, import.meta.url));

/** The placeholder that a response replaces by its nonce. */
const NONCE = /__NONCE__/g;
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;

/** Serves the built page: its files by their names, and the page itself for every other path. */
export async function serveConsole(settings: Settings): Promise<RequestHandler> {
  const names = await builtFiles();
  const page = names.has('index.html') ? await readFile(`${FOLDER}/index.html`, 'utf8') : null;
  const origins = storageOrigins(settings).join(' ');

  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const name = request.path.slice(1);
    if (name !== 'index.html' && names.has(name)) return sendFile(request, response, name, names);
    if (page === null || name.startsWith('assets/')) return next();
    const nonce = randomBytes(16).toString('base64');
    response.setHeader('Content-Security-Policy', policy(nonce, origins));
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Cache-Control', 'no-cache');
    response.type('html').send(page.replace(NONCE, nonce));
  };
}

function sendFile(request: Request, response: Response, name: string, names: ReadonlySet<string>): void {
  // Names of assets contain a hash of their bytes.
  const cached = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
  response.setHeader('Cache-Control', cached);
  response.type(extname(name));
  const offered = (['br', 'gzip'] as const).filter((encoding) => names.has(name + ENCODINGS[encoding]));
  if (offered.length > 0) response.vary('Accept-Encoding');
  // The smallest accepted encoding: browsers name gzip first.
  const encoding = offered.find((each) => request.acceptsEncodings(each));
  if (encoding) response.setHeader('Content-Encoding', encoding);
  response.sendFile(encoding ? name + ENCODINGS[encoding] : name, { root: FOLDER, cacheControl: false });
}

/** The paths of the files below the folder; none if nothing is built. */
async function builtFiles(): Promise<ReadonlySet<string>> {
  try {
    return new Set((await readdir(FOLDER, { recursive: true })).map((name) => name.replaceAll('\\', '/')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Set();
    throw error;
  }
}

/** The page loads only itself and the files of the storage. */
function policy(nonce: string, storage: string): string {
  return [
    "default-src 'none'",
    // Decoders of compressed 3D models are WebAssembly.
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob: ${storage}`,
    `media-src 'self' blob: ${storage}`,
    `connect-src 'self' blob: ${storage}`,
    "worker-src 'self' blob:",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Where files are read from and uploaded to. */
function storageOrigins({ http, storage }: Settings): string[] {
  if (storage.bucket === null) return [http.publicUrl];
  const { bucket, publicEndpoint, endpoint, region, forcePathStyle, publicUrl } = storage;
  const host = new URL(publicEndpoint ?? endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (!forcePathStyle) host.host = `${bucket}.${host.host}`;
  return [...new Set([host.origin, ...(publicUrl === null ? [] : [new URL(publicUrl).origin])])];
}

import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Request, RequestHandler, Response } from 'express';
import type { Settings } from '#config';

/** Where `npm run build` writes the pages, relative to this file (TypeScript or compiled). */
const BUILT = extname(import.meta.url) === '.ts' ? '../../../../dist/' : '../../../../';

/** The placeholder that a response replaces by its nonce. */
const NONCE = /__NONCE__/g;
/** Headers for pages of other origins: the console has forty small files, and only its own page reads them. */
const FOR_OTHER_ORIGINS = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'];
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;

/** Serves the console: its files by their names, and its page for every other path. */
export function serveConsole(settings: Settings): Promise<RequestHandler> {
  // Decoders of compressed 3D models are WebAssembly.
  const special = { script: " 'wasm-unsafe-eval'", worker: "'self' blob:" };
  return serveBuilt('console', { policy: policyOf(settings, special), isPage: (path) => !path.startsWith('/assets/') });
}

/**
 * Serves the page of guests, the same for every token: whether the link of a token is open, the page asks the service.
 */
export function serveGuestPage(settings: Settings): Promise<RequestHandler> {
  const policy = policyOf(settings, { script: '', worker: "'none'" });
  return serveBuilt('guest', { policy, isPage: (path) => /^\/[\w-]{1,128}\/?$/.test(path), isHidden: true });
}

interface BuiltPage {
  readonly policy: (nonce: string) => string;
  /** Reports whether a path shows the page. */
  readonly isPage: (path: string) => boolean;
  /** True if search engines are told to leave it, also where they do not read it. */
  readonly isHidden?: boolean;
}

async function serveBuilt(name: string, { policy, isPage, isHidden }: BuiltPage): Promise<RequestHandler> {
  const folder = fileURLToPath(new URL(BUILT + name, import.meta.url));
  const names = await builtFiles(folder);
  const page = names.has('index.html') ? await readFile(`${folder}/index.html`, 'utf8') : null;

  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const file = request.path.slice(1);
    if (file !== 'index.html' && names.has(file)) return sendFile(request, response, { folder, file, names });
    if (page === null || !isPage(request.path)) return next();
    const nonce = randomBytes(16).toString('base64');
    response.setHeader('Content-Security-Policy', policy(nonce));
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Cache-Control', 'no-cache');
    if (isHidden) response.setHeader('X-Robots-Tag', 'noindex, nofollow');
    response.type('html').send(page.replace(NONCE, nonce));
  };
}

interface BuiltFile {
  readonly folder: string;
  readonly file: string;
  readonly names: ReadonlySet<string>;
}

function sendFile(request: Request, response: Response, { folder, file: name, names }: BuiltFile): void {
  for (const header of FOR_OTHER_ORIGINS) response.removeHeader(header);
  // Names of assets contain a hash of their bytes: nobody asks whether they have changed.
  const isAsset = name.startsWith('assets/');
  const once = { etag: false, lastModified: false, acceptRanges: false };
  response.setHeader('Cache-Control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
  response.type(extname(name));
  const offered = (['br', 'gzip'] as const).filter((encoding) => names.has(name + ENCODINGS[encoding]));
  if (offered.length > 0) response.vary('Accept-Encoding');
  // The smallest accepted encoding: browsers name gzip first.
  const encoding = offered.find((each) => request.acceptsEncodings(each));
  if (encoding) response.setHeader('Content-Encoding', encoding);
  response.sendFile(encoding ? name + ENCODINGS[encoding] : name, {
    ...{ root: folder, cacheControl: false },
    ...(isAsset && once),
  });
}

/** The paths of the files below the folder; none if nothing is built. */
async function builtFiles(folder: string): Promise<ReadonlySet<string>> {
  try {
    return new Set((await readdir(folder, { recursive: true })).map((name) => name.replaceAll('\\', '/')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Set();
    throw error;
  }
}

/** The page loads only itself and the files of the storage. */
function policyOf(settings: Settings, also: { readonly script: string; readonly worker: string }) {
  const storage = storageOrigins(settings).join(' ');
  return (nonce: string) =>
    [
      "default-src 'none'",
      `script-src 'self'${also.script}`,
      `style-src 'self' 'nonce-${nonce}'`,
      `img-src 'self' data: blob: ${storage}`,
      `media-src 'self' blob: ${storage}`,
      `connect-src 'self' blob: ${storage}`,
      `worker-src ${also.worker}`,
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

import { setTimeout as sleep } from 'node:timers/promises';
import {
  HeadBucketCommand,
  HeadObjectCommand,
  S3Client,
  type $Command,
  type S3ClientConfig,
  type S3ClientResolvedConfig,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from '@aws-sdk/client-s3';
import type { ObjectInfo } from '#files';
import type { Clock } from '#kernel';
import { isAnother, isNotThere, s3Failure } from './s3-failure.ts';
import { S3Presigner } from './s3-presigner.ts';

export interface S3Options {
  readonly bucket: string;
  readonly region: string;
  /** Address at which the service reaches the store; `null` for AWS. */
  readonly endpoint: string | null;
  /** Address at which clients reach the store with signed URLs; `null` when it is the same. */
  readonly publicEndpoint: string | null;
  readonly forcePathStyle: boolean;
  readonly clock: Clock;
  /** By default from the standard environment variables and files. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /**
   * Milliseconds until the response to one attempt must begin; sent and copied bytes have additional time. A response
   * that has begun may stall for four times as long.
   */
  readonly patienceMs?: number;
}

type Command<Input extends ServiceInputTypes, Output extends ServiceOutputTypes> = $Command<
  Input,
  Output,
  S3ClientResolvedConfig,
  ServiceInputTypes,
  ServiceOutputTypes
>;

const ATTEMPTS = 3;
const CREDENTIALS_MS = 5_000;
const CONNECT_MS = 2_000;
const PATIENCE_MS = 5_000;
/** 5 MB per second: a slower transfer counts as failed. */
const SLOWEST_BYTES_A_MS = 5_000;
/** More than the jobs and requests of a process that use the storage concurrently. */
const CONNECTIONS = 128;
/** How long a bucket is assumed to exist after a response. */
const BUCKET_SEEN_MS = 10_000;

const nothing = (): void => undefined;
/** The SDK would log to the console; errors are reported as failures. */
const SILENT = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

/** One bucket: sends commands with time limits and retries, and signs URLs for clients. */
export class S3Connection {
  readonly bucket: string;
  readonly patienceMs: number;
  readonly #client: S3Client;
  /** Has the endpoint that clients use; never sends anything. */
  readonly #signer: S3Client;
  readonly #presigner: S3Presigner;
  #bucketSeenAt = -Infinity;

  constructor(options: S3Options) {
    this.bucket = options.bucket;
    this.patienceMs = options.patienceMs ?? PATIENCE_MS;
    this.#client = new S3Client({
      ...configOf(options, options.endpoint),
      maxAttempts: ATTEMPTS,
      retryMode: 'standard',
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        requestTimeout: this.patienceMs,
        throwOnRequestTimeout: true,
        httpAgent: { keepAlive: true, maxSockets: CONNECTIONS },
        httpsAgent: { keepAlive: true, maxSockets: CONNECTIONS },
      },
      // A server that does not support it would keep the client waiting.
      expectContinueHeader: false,
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
    this.#signer = new S3Client(configOf(options, options.publicEndpoint ?? options.endpoint));
    this.#presigner = new S3Presigner(this.#signer, options.bucket, options.region, options.clock);
  }

  /** @throws Error when no credentials are found in time */
  async loadCredentials(): Promise<void> {
    const late = sleep(CREDENTIALS_MS, undefined, { ref: false }).then(() => {
      throw new Error('the credential providers do not respond');
    });
    await Promise.race([this.#client.config.credentials(), late]);
  }

  /**
   * @param moreMs additional time until the response to an attempt must begin
   * @throws DomainError `unavailable`
   */
  async send<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
    command: Command<Input, Output>,
    moreMs = 0,
  ): Promise<Output> {
    try {
      return await this.attempt(command, moreMs);
    } catch (error) {
      throw s3Failure(error);
    }
  }

  /**
   * Like `send`; `null` when the object does not exist or a condition does not hold.
   *
   * @param isNone whether an error means that the object does not exist
   */
  async find<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
    command: Command<Input, Output>,
    moreMs = 0,
    isNone: (error: unknown) => boolean = isAnother,
  ): Promise<Output | null> {
    try {
      return await this.attempt(command, moreMs);
    } catch (error) {
      if (isNone(error)) return null;
      if (!isNotThere(error)) throw s3Failure(error);
      await this.#seeBucket();
      return null;
    }
  }

  /** Like `send`, with the errors of the SDK. */
  async attempt<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
    command: Command<Input, Output>,
    moreMs = 0,
  ): Promise<Output> {
    const requestTimeout = this.patienceMs + moreMs;
    const response = await this.#client.send(command, { requestTimeout });
    this.#bucketSeenAt = performance.now();
    return response;
  }

  /** `null` when there is no such object. */
  async head(key: string): Promise<ObjectInfo | null> {
    const found = await this.find(new HeadObjectCommand({ Bucket: this.bucket, Key: key }));
    if (!found) return null;
    const { ContentLength: size = 0, ETag: etag = '', LastModified: modifiedAt = new Date(0) } = found;
    return { key, size, etag, modifiedAt };
  }

  /**
   * A URL that anybody can PUT to, or GET, until `expiresAt`.
   *
   * @param parameters further query parameters; `x-id` names the operation
   */
  async sign(
    method: 'GET' | 'PUT',
    key: string,
    expiresAt: Date,
    parameters: Readonly<Record<string, string>>,
  ): Promise<string> {
    try {
      return await this.#presigner.sign(method, key, expiresAt, parameters);
    } catch (error) {
      throw s3Failure(error);
    }
  }

  close(): void {
    this.#client.destroy();
    this.#signer.destroy();
  }

  /** The response to HEAD is the same for a missing object and a missing bucket. */
  async #seeBucket(): Promise<void> {
    if (performance.now() - this.#bucketSeenAt < BUCKET_SEEN_MS) return;
    try {
      await this.attempt(new HeadBucketCommand({ Bucket: this.bucket }));
    } catch (error) {
      if (isNotThere(error)) (error as Error).name = 'NoSuchBucket';
      throw s3Failure(error);
    }
  }
}

function configOf(options: S3Options, endpoint: string | null): S3ClientConfig {
  const { region, forcePathStyle, credentials } = options;
  return {
    region,
    forcePathStyle,
    logger: SILENT,
    // A copy: the SDK notes on the object where the credentials come from, and settings are frozen.
    ...(credentials && { credentials: { ...credentials } }),
    ...(endpoint !== null && { endpoint }),
    // By default checksums are sent in trailers, which not every store supports, and URLs signed by the SDK contain the
    // checksum of an empty body, which no upload has.
    requestChecksumCalculation: 'WHEN_REQUIRED',
  };
}

/** Additional time for bytes that are sent or copied before the response. */
export function timeFor(bytes: number): number {
  return Math.ceil(bytes / SLOWEST_BYTES_A_MS);
}

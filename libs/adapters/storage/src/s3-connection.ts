import { setTimeout as sleep } from 'node:timers/promises';
import {
  HeadBucketCommand,
  S3Client,
  type $Command,
  type S3ClientConfig,
  type S3ClientResolvedConfig,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from '@aws-sdk/client-s3';
import type { Clock } from '#kernel';
import { isAnother, isNotThere, s3Failure } from './s3-failure.ts';
import { S3Presigner } from './s3-presigner.ts';

export interface S3Options {
  readonly bucket: string;
  readonly region: string;
  /** Where the service itself reaches the store; `null` for AWS. */
  readonly endpoint: string | null;
  /** Where clients reach the store with signed URLs; `null` when that is the same. */
  readonly publicEndpoint: string | null;
  /** What the URLs of saved files start with, such as a CDN; `null` for the bucket itself. */
  readonly publicUrl: string | null;
  readonly forcePathStyle: boolean;
  readonly clock: Clock;
  /** Without them, the standard variables and places are looked at. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /**
   * How long the answer to one attempt may take to begin, in milliseconds; where bytes are sent or copied, they have
   * time of their own. An answer that has begun may stop for four times that.
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
/** 5 MB a second: what is slower counts as broken. */
const SLOWEST_BYTES_A_MS = 5_000;
/** More than all jobs and requests of a process that use the storage at the same time. */
const CONNECTIONS = 128;
/** A bucket that answered is taken to be there for so long. */
const BUCKET_SEEN_MS = 10_000;

const nothing = (): void => undefined;
/** What the SDK would say on the console is told by failures. */
const SILENT = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

/** One bucket: asks the store within limits of time and attempts, and signs for clients. */
export class S3Connection {
  readonly bucket: string;
  readonly patienceMs: number;
  readonly #client: S3Client;
  /** Has the address that clients use; never sends anything. */
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
      // A server that does not know it lets the client wait.
      expectContinueHeader: false,
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
    this.#signer = new S3Client(configOf(options, options.publicEndpoint ?? options.endpoint));
    this.#presigner = new S3Presigner(this.#signer, options.bucket, options.region, options.clock);
  }

  /** @throws Error when there are none; places that don't answer have none */
  async loadCredentials(): Promise<void> {
    const timer = new AbortController();
    const late = sleep(CREDENTIALS_MS, undefined, { signal: timer.signal }).then(() => {
      throw new Error('the places where credentials may be do not answer');
    });
    try {
      await Promise.race([this.#client.config.credentials(), late]);
    } finally {
      late.catch(() => undefined);
      timer.abort();
    }
  }

  /**
   * @param moreMs how much longer than usual the answer to an attempt may take to begin
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
   * The same; `null` when what it is about is not there, or not what a condition says.
   *
   * @param isNone what else means that
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

  /** The same, with the errors of the SDK. */
  async attempt<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
    command: Command<Input, Output>,
    moreMs = 0,
  ): Promise<Output> {
    const requestTimeout = this.patienceMs + moreMs;
    const answer = await this.#client.send(command, { requestTimeout });
    this.#bucketSeenAt = performance.now();
    return answer;
  }

  /**
   * A URL that anybody can PUT to until then.
   *
   * @param parameters what else the query says; `x-id` names the operation
   */
  async signPut(key: string, expiresAt: Date, parameters: Readonly<Record<string, string>>): Promise<string> {
    try {
      return await this.#presigner.signPut(key, expiresAt, parameters);
    } catch (error) {
      throw s3Failure(error);
    }
  }

  close(): void {
    this.#client.destroy();
    this.#signer.destroy();
  }

  /** An answer to HEAD is the same for an object and for a bucket that is not there. */
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
    ...(credentials && { credentials }),
    ...(endpoint !== null && { endpoint }),
    // By default checksums come at the end of a body, which not every store knows; and in URLs that the SDK signs
    // there would be the one of an empty body, which no upload has.
    requestChecksumCalculation: 'WHEN_REQUIRED',
  };
}

/** How much longer an answer may take for bytes that are sent or copied before it. */
export function timeFor(bytes: number): number {
  return Math.ceil(bytes / SLOWEST_BYTES_A_MS);
}

import {
  CreateBucketCommand,
  GetBucketCorsCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketPolicyCommand,
  HeadBucketCommand,
  PutBucketCorsCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketPolicyCommand,
  PutPublicAccessBlockCommand,
  S3ServiceException,
  type BucketLocationConstraint,
} from '@aws-sdk/client-s3';
import { bucketRules, type BucketPolicy, type BucketRules } from './s3-bucket-rules.ts';
import { S3Connection, type S3Options } from './s3-connection.ts';
import { isNotThere, s3Failure } from './s3-failure.ts';

/** One thing that a bucket was given. */
export interface SetupStep {
  readonly step: 'bucket' | 'public access' | 'policy' | 'cors' | 'lifecycle';
  readonly state: 'created' | 'was there' | 'set' | 'not supported';
  readonly effect: string;
}

/** What stores answer to what they don't have. */
const NOT_SUPPORTED = [405, 501];

/** Gives a bucket what the service needs of it, and keeps what others gave it. Can be repeated. */
export class S3BucketSetup {
  readonly #options: S3Options;
  readonly #rules: BucketRules;
  readonly #s3: S3Connection;

  /** @param stagingDays after which nothing staged is of use to anybody */
  constructor(options: S3Options, stagingDays: number) {
    this.#options = options;
    this.#rules = bucketRules(options.bucket, stagingDays);
    this.#s3 = new S3Connection(options);
  }

  /** @throws DomainError `unavailable` */
  async run(): Promise<readonly SetupStep[]> {
    try {
      return [
        await this.#makeBucket(),
        await this.#set('public access', 'rights that clients give their objects do nothing', () =>
          this.#blockRights(),
        ),
        await this.#set('policy', 'anyone may read files/*, and nothing else', () => this.#setPolicy()),
        await this.#set('cors', 'browsers may PUT, GET and HEAD from any page', () => this.#setCors()),
        await this.#set('lifecycle', 'the store gives up what is left in staging/, and broken uploads', () =>
          this.#setLifecycle(),
        ),
      ];
    } catch (error) {
      throw s3Failure(error);
    } finally {
      this.#s3.close();
    }
  }

  async #makeBucket(): Promise<SetupStep> {
    const { bucket: Bucket, endpoint, region } = this.#options;
    const effect = `${Bucket} can be used`;
    try {
      await this.#s3.attempt(new HeadBucketCommand({ Bucket }));
      return { step: 'bucket', state: 'was there', effect };
    } catch (error) {
      if (!isNotThere(error)) throw error;
    }
    const elsewhere = endpoint === null && region !== 'us-east-1';
    const LocationConstraint = region as BucketLocationConstraint;
    await this.#s3.attempt(
      new CreateBucketCommand({
        Bucket,
        ...(elsewhere && { CreateBucketConfiguration: { LocationConstraint } }),
      }),
    );
    return { step: 'bucket', state: 'created', effect };
  }

  async #set(step: SetupStep['step'], effect: string, work: () => Promise<unknown>): Promise<SetupStep> {
    try {
      await work();
      return { step, state: 'set', effect };
    } catch (error) {
      if (!isNotSupported(error)) throw error;
      return { step, state: 'not supported', effect: `see to it in another way: ${effect}` };
    }
  }

  async #blockRights(): Promise<void> {
    await this.#s3.attempt(
      new PutPublicAccessBlockCommand({
        Bucket: this.#s3.bucket,
        PublicAccessBlockConfiguration: this.#rules.publicAccess,
      }),
    );
  }

  async #setPolicy(): Promise<void> {
    const Bucket = this.#s3.bucket;
    const { policy } = this.#rules;
    const own = new Set(policy.Statement.map(({ Sid }) => Sid));
    const before = await orNone(this.#s3.attempt(new GetBucketPolicyCommand({ Bucket })));
    const others = before?.Policy ? (JSON.parse(before.Policy) as BucketPolicy).Statement : [];
    const Statement = [...others.filter(({ Sid }) => !own.has(Sid)), ...policy.Statement];
    const Policy = JSON.stringify({ ...policy, Statement });
    await this.#s3.attempt(new PutBucketPolicyCommand({ Bucket, Policy }));
  }

  async #setCors(): Promise<void> {
    const Bucket = this.#s3.bucket;
    const before = await orNone(this.#s3.attempt(new GetBucketCorsCommand({ Bucket })));
    const CORSRules = withOthers(this.#rules.cors, before?.CORSRules);
    await this.#s3.attempt(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }));
  }

  async #setLifecycle(): Promise<void> {
    const Bucket = this.#s3.bucket;
    const before = await orNone(this.#s3.attempt(new GetBucketLifecycleConfigurationCommand({ Bucket })));
    const Rules = withOthers(this.#rules.lifecycle, before?.Rules);
    await this.#s3.attempt(
      new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }),
    );
  }
}

/** Own rules, and those that others made. */
function withOthers<Rule extends { readonly ID?: string | undefined }>(
  own: readonly Rule[],
  before: readonly Rule[] = [],
): Rule[] {
  const ids = new Set(own.map(({ ID }) => ID));
  return [...own, ...before.filter(({ ID }) => !ids.has(ID))];
}

/** What was set before; a bucket where nothing was answers 404. */
async function orNone<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return null;
    throw error;
  }
}

function isNotSupported(error: unknown): boolean {
  return (
    error instanceof S3ServiceException &&
    (error.name === 'NotImplemented' || NOT_SUPPORTED.includes(error.$metadata.httpStatusCode ?? 0))
  );
}

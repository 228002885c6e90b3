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

/** The result of one step. */
export interface SetupStep {
  readonly step: 'bucket' | 'public access' | 'policy' | 'cors' | 'lifecycle';
  readonly state: 'created' | 'was there' | 'set' | 'not supported';
  readonly effect: string;
}

/** Status codes for operations that a store does not support. */
const NOT_SUPPORTED = [405, 501];

/** Sets up a bucket for the service and keeps the settings of others. Can be repeated. */
export class S3BucketSetup {
  readonly #rules: BucketRules;
  readonly #s3: S3Connection;

  /** @param stagingDays days after which objects under `staging/` are useless */
  constructor(
    private readonly options: S3Options,
    stagingDays: number,
  ) {
    this.#rules = bucketRules(options.bucket, stagingDays);
    this.#s3 = new S3Connection(options);
  }

  /** @throws DomainError `unavailable` */
  async run(): Promise<readonly SetupStep[]> {
    try {
      return [
        await this.#makeBucket(),
        await this.#set('public access', 'rights that clients give their objects do nothing', () =>
          this.#s3.attempt(
            new PutPublicAccessBlockCommand({
              Bucket: this.#s3.bucket,
              PublicAccessBlockConfiguration: this.#rules.publicAccess,
            }),
          ),
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
    const { bucket: Bucket, endpoint, region } = this.options;
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
      new CreateBucketCommand({ Bucket, ...(elsewhere && { CreateBucketConfiguration: { LocationConstraint } }) }),
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
    await this.#s3.attempt(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }));
  }
}

/** Our rules and those of others. */
function withOthers<Rule extends { readonly ID?: string | undefined }>(
  own: readonly Rule[],
  before: readonly Rule[] = [],
): Rule[] {
  const ids = new Set(own.map(({ ID }) => ID));
  return [...own, ...before.filter(({ ID }) => !ids.has(ID))];
}

/** The existing setting; a bucket without one responds with 404. */
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

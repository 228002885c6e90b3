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
  type BucketLocationConstraint,
  type CORSRule,
  type LifecycleRule,
  type PublicAccessBlockConfiguration,
} from '@aws-sdk/client-s3';
import { S3Connection, type S3Options } from './s3-connection.ts';
import { isNotThere, nameOf, s3Failure, statusOf } from './s3-failure.ts';

/** One statement of a bucket's policy, as far as it is read. */
interface PolicyStatement {
  readonly Sid?: string;
  readonly [field: string]: unknown;
}

/** The rules that the service needs in a bucket. */
export interface BucketRules {
  readonly policy: { readonly Version: string; readonly Statement: readonly PolicyStatement[] };
  readonly cors: readonly CORSRule[];
  readonly lifecycle: readonly LifecycleRule[];
  readonly publicAccess: PublicAccessBlockConfiguration;
}

/** The result of one step. */
export interface SetupStep {
  readonly step: 'bucket' | 'public access' | 'policy' | 'cors' | 'lifecycle';
  readonly state: 'created' | 'was there' | 'set' | 'not supported';
  readonly effect: string;
}

/** After this many days, the parts of interrupted copies are removed. */
const PARTS_DAYS = 2;
/** After this many days, exports are removed that the service could not delete. */
const EXPORT_DAYS = 3;
/** Status codes for operations that a store does not support. */
const NOT_SUPPORTED = [405, 501];

/** @param stagingDays days after which objects under `staging/` are useless */
export function bucketRules(bucket: string, stagingDays: number): BucketRules {
  const statement = (Sid: string, Effect: string, action: string, prefix: string, more = {}): PolicyStatement => ({
    Sid,
    Effect,
    Principal: '*',
    Action: [`s3:${action}`],
    Resource: [`arn:aws:s3:::${bucket}/${prefix}*`],
    ...more,
  });
  // Not every store refuses headers that a signature does not cover: a permission to write must not allow more.
  const noPutWith = (Sid: string, header: string): PolicyStatement =>
    // `Null` would be clearer, but Ceph inverts it.
    statement(Sid, 'Deny', 'PutObject', 'staging/', { Condition: { StringLike: { [`s3:${header}`]: '?*' } } });
  const cleaning = (area: string, days: number, expiration = {}): LifecycleRule => ({
    ID: area === 'staging' ? 'x12-staging' : `x12-${area}-parts`,
    Status: 'Enabled',
    Filter: { Prefix: `${area}/` },
    ...expiration,
    AbortIncompleteMultipartUpload: { DaysAfterInitiation: days },
  });
  return {
    policy: {
      Version: '2012-10-17',
      Statement: [
        statement('X12PublicFiles', 'Allow', 'GetObject', 'files/'),
        noPutWith('X12NoCopiesIntoStaging', 'x-amz-copy-source'),
        noPutWith('X12NoRightsOnStaging', 'x-amz-acl'),
      ],
    },
    cors: [
      {
        ID: 'x12-browsers',
        AllowedOrigins: ['*'],
        AllowedMethods: ['GET', 'HEAD', 'PUT'],
        AllowedHeaders: ['*'],
        ExposeHeaders: ['ETag', 'Accept-Ranges', 'Content-Range', 'Content-Length'],
        MaxAgeSeconds: 3600,
      },
    ],
    lifecycle: [
      cleaning('staging', stagingDays, { Expiration: { Days: stagingDays } }),
      // The service deletes exports after a day.
      cleaning('exports', PARTS_DAYS, { Expiration: { Days: EXPORT_DAYS } }),
      cleaning('frozen', PARTS_DAYS),
      cleaning('files', PARTS_DAYS),
    ],
    // The policy makes files public; ACLs that clients set on objects have no effect.
    publicAccess: {
      BlockPublicAcls: false,
      IgnorePublicAcls: true,
      BlockPublicPolicy: false,
      RestrictPublicBuckets: false,
    },
  };
}

/**
 * Sets up a bucket for the service and keeps the settings of others. Can be repeated.
 *
 * @param stagingDays days after which objects under `staging/` are useless
 * @throws DomainError `unavailable`
 */
export async function setUpBucket(options: S3Options, stagingDays: number): Promise<readonly SetupStep[]> {
  const Bucket = options.bucket;
  const { policy, cors, lifecycle, publicAccess } = bucketRules(Bucket, stagingDays);
  const s3 = new S3Connection(options);
  const setPublicAccess = (): Promise<unknown> =>
    s3.attempt(new PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration: publicAccess }));
  const setPolicy = async (): Promise<unknown> => {
    const before = await orNone(s3.attempt(new GetBucketPolicyCommand({ Bucket })));
    const others = before?.Policy ? (JSON.parse(before.Policy) as BucketRules['policy']).Statement : [];
    const Policy = JSON.stringify({ ...policy, Statement: withOthers('Sid', policy.Statement, others) });
    return s3.attempt(new PutBucketPolicyCommand({ Bucket, Policy }));
  };
  const setCors = async (): Promise<unknown> => {
    const before = await orNone(s3.attempt(new GetBucketCorsCommand({ Bucket })));
    const CORSRules = withOthers('ID', cors, before?.CORSRules);
    return s3.attempt(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }));
  };
  const setLifecycle = async (): Promise<unknown> => {
    const before = await orNone(s3.attempt(new GetBucketLifecycleConfigurationCommand({ Bucket })));
    const Rules = withOthers('ID', lifecycle, before?.Rules);
    return s3.attempt(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }));
  };
  try {
    return [
      await makeBucket(s3, options),
      await set('public access', 'ACLs that clients set on objects have no effect', setPublicAccess),
      await set('policy', 'anyone may read files/*, and nothing else', setPolicy),
      await set('cors', 'browsers may PUT, GET and HEAD from any page', setCors),
      await set('lifecycle', 'the store deletes leftovers in staging/ and unfinished uploads', setLifecycle),
    ];
  } catch (error) {
    throw s3Failure(error);
  } finally {
    s3.close();
  }
}

async function makeBucket(s3: S3Connection, { bucket: Bucket, endpoint, region }: S3Options): Promise<SetupStep> {
  const effect = `${Bucket} can be used`;
  try {
    await s3.attempt(new HeadBucketCommand({ Bucket }));
    return { step: 'bucket', state: 'was there', effect };
  } catch (error) {
    if (!isNotThere(error)) throw error;
  }
  const elsewhere = endpoint === null && region !== 'us-east-1';
  const LocationConstraint = region as BucketLocationConstraint;
  await s3.attempt(
    new CreateBucketCommand({ Bucket, ...(elsewhere && { CreateBucketConfiguration: { LocationConstraint } }) }),
  );
  return { step: 'bucket', state: 'created', effect };
}

async function set(step: SetupStep['step'], effect: string, work: () => Promise<unknown>): Promise<SetupStep> {
  try {
    await work();
    return { step, state: 'set', effect };
  } catch (error) {
    const isSupported = nameOf(error) !== 'NotImplemented' && !NOT_SUPPORTED.includes(statusOf(error) ?? 0);
    if (isSupported) throw error;
    return { step, state: 'not supported', effect: `configure it in another way: ${effect}` };
  }
}

/** Our rules, and the rules with other names that the bucket has already. */
function withOthers<Name extends string, Rule extends { readonly [_ in Name]?: string | undefined }>(
  name: Name,
  own: readonly Rule[],
  before: readonly Rule[] = [],
): Rule[] {
  const names = new Set(own.map((rule) => rule[name]));
  return [...own, ...before.filter((rule) => !names.has(rule[name]))];
}

/** The existing setting; a bucket without one responds with 404. */
async function orNone<T>(response: Promise<T>): Promise<T | null> {
  try {
    return await response;
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}

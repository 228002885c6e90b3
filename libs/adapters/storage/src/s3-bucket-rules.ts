import type { CORSRule, LifecycleRule, PublicAccessBlockConfiguration } from '@aws-sdk/client-s3';

/** One statement of a bucket's policy, as far as it is read. */
export interface PolicyStatement {
  readonly Sid?: string;
  readonly [field: string]: unknown;
}

export interface BucketPolicy {
  readonly Version: string;
  readonly Statement: readonly PolicyStatement[];
}

/** What a bucket must allow, and what it cleans up itself. */
export interface BucketRules {
  readonly policy: BucketPolicy;
  readonly cors: readonly CORSRule[];
  readonly lifecycle: readonly LifecycleRule[];
  readonly publicAccess: PublicAccessBlockConfiguration;
}

/** After this many days, the parts of interrupted copies are removed. */
const PARTS_DAYS = 2;

/** @param stagingDays days after which objects under `staging/` are useless */
export function bucketRules(bucket: string, stagingDays: number): BucketRules {
  const objects = (prefix: string): string => `arn:aws:s3:::${bucket}/${prefix}*`;
  // Not every store refuses headers that a signature does not cover: a permission to write must not allow more.
  const unsigned = (Sid: string, header: string): PolicyStatement => ({
    Sid,
    Effect: 'Deny',
    Principal: '*',
    Action: ['s3:PutObject'],
    Resource: [objects('staging/')],
    // `Null` would be clearer, but Ceph inverts it.
    Condition: { StringLike: { [`s3:${header}`]: '?*' } },
  });
  return {
    policy: {
      Version: '2012-10-17',
      Statement: [
        {
          Sid: 'X12PublicFiles',
          Effect: 'Allow',
          Principal: '*',
          Action: ['s3:GetObject'],
          Resource: [objects('files/')],
        },
        unsigned('X12NoCopiesIntoStaging', 'x-amz-copy-source'),
        unsigned('X12NoRightsOnStaging', 'x-amz-acl'),
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
      {
        ID: 'x12-staging',
        Status: 'Enabled',
        Filter: { Prefix: 'staging/' },
        Expiration: { Days: stagingDays },
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: stagingDays },
      },
      ...['frozen', 'files'].map((area): LifecycleRule => ({
        ID: `x12-${area}-parts`,
        Status: 'Enabled',
        Filter: { Prefix: `${area}/` },
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: PARTS_DAYS },
      })),
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

import type { CORSRule, LifecycleRule, PublicAccessBlockConfiguration } from '@aws-sdk/client-s3';

/** One statement of a bucket's policy, as far as it is looked at. */
export interface PolicyStatement {
  readonly Sid?: string;
  readonly [field: string]: unknown;
}

export interface BucketPolicy {
  readonly Version: string;
  readonly Statement: readonly PolicyStatement[];
}

/** What a bucket has to allow, and what it may clean up by itself. */
export interface BucketRules {
  readonly policy: BucketPolicy;
  readonly cors: readonly CORSRule[];
  readonly lifecycle: readonly LifecycleRule[];
  readonly publicAccess: PublicAccessBlockConfiguration;
}

/** Parts of copies that were broken off are of no use after so long. */
const PARTS_DAYS = 2;

/** @param stagingDays after which nothing staged is of use to anybody */
export function bucketRules(bucket: string, stagingDays: number): BucketRules {
  const objects = (prefix: string): string => `arn:aws:s3:::${bucket}/${prefix}*`;
  // Not every store refuses what a signature does not cover: who may write may not order anything else with it.
  const unsigned = (Sid: string, header: string): PolicyStatement => ({
    Sid,
    Effect: 'Deny',
    Principal: '*',
    Action: ['s3:PutObject'],
    Resource: [objects('staging/')],
    // `Null` says it better, but Ceph takes it the wrong way round.
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
    // The policy makes files public; rights that a client gives an object of its own do nothing.
    publicAccess: {
      BlockPublicAcls: false,
      IgnorePublicAcls: true,
      BlockPublicPolicy: false,
      RestrictPublicBuckets: false,
    },
  };
}

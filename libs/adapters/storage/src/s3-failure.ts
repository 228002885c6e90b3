import { DomainError } from '#kernel';

/** The object or multipart upload does not exist; a response to HEAD does not say whether the bucket does. */
export function isNotThere(error: unknown): boolean {
  return ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(nameOf(error)) && statusOf(error) === 404;
}

/** The object exists, but a condition does not hold or the range is outside of it. */
export function isAnother(error: unknown): boolean {
  return [412, 416].includes(statusOf(error) ?? 0);
}

/** A part to be joined does not exist or has been replaced. */
export function isRefusedPart(error: unknown): boolean {
  return ['InvalidPart', 'InvalidPartOrder'].includes(nameOf(error));
}

/** The error of the port for a failing store. Its cause has advice for operators. */
export function s3Failure(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const cause = new Error(`S3: ${adviceOn(error)}`, { cause: error });
  return new DomainError('unavailable', 'the object storage does not work now; try again', { cause });
}

const CREDENTIALS = 'see AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
const ADDRESS = 'see S3_ENDPOINT, and whether the store runs';
const REGION = 'see S3_REGION and S3_ENDPOINT';

/** Advice by the name that the store or the SDK gives the error. */
const ADVICE: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket: see S3_BUCKET, or run `npm run cli -- storage setup`',
  PermanentRedirect: `the bucket is in another region: ${REGION}`,
  AuthorizationHeaderMalformed: `the bucket is in another region: ${REGION}`,
  IllegalLocationConstraintException: `the bucket is in another region: ${REGION}`,
  InvalidAccessKeyId: `the access key is unknown: ${CREDENTIALS}`,
  SignatureDoesNotMatch: `the secret key is wrong: ${CREDENTIALS}`,
  ExpiredToken: `the credentials have expired: ${CREDENTIALS}`,
  CredentialsProviderError: `there are no credentials: ${CREDENTIALS}`,
  AccessDenied: 'the credentials lack a right on the bucket, ListBucket among them',
  RequestTimeTooSkewed: 'the clocks of this machine and of the store differ',
  TimeoutError: `no response in time: ${ADDRESS}`,
  ECONNREFUSED: `cannot be connected to: ${ADDRESS}`,
  ENOTFOUND: `its host is unknown: ${ADDRESS}`,
};

const ADVICE_ON_STATUS: Readonly<Record<number, string>> = {
  301: ADVICE.PermanentRedirect!,
  307: ADVICE.PermanentRedirect!,
  400: `the request was refused: ${REGION}`,
  403: `access was refused: ${CREDENTIALS}, and their rights on the bucket`,
};

function adviceOn(error: unknown): string {
  const named = ADVICE[nameOf(error)] ?? ADVICE[codeOf(error)];
  if (named) return named;
  const status = statusOf(error);
  if (status !== undefined && status < 300) return `the response is not one of S3: ${ADDRESS}`;
  const onStatus = status === undefined ? undefined : ADVICE_ON_STATUS[status];
  if (onStatus) return onStatus;
  return status === undefined ? nameOf(error) || String(error) : `it responded with ${status} (${nameOf(error)})`;
}

export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | null)?.code ?? '');
}

export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode;
}

import { VendorCallFailed, type CallOptions, type VendorFetch, type VendorResponse } from '#adapters/outgoing-http';
import {
  preparationFailure,
  queryFailure,
  submissionFailure,
  type ClassifyRefusal,
  type IsNotAccepted,
} from './failures.ts';

type Fetch = typeof globalThis.fetch;
type Work<T> = (fetch: Fetch) => Promise<T>;

/** HTTP calls to one vendor, with failures mapped to those of `RemoteProvider`. */
export class VendorCalls {
  constructor(
    private readonly http: VendorFetch,
    private readonly classify: ClassifyRefusal = () => null,
    private readonly isNotAccepted?: IsNotAccepted,
  ) {}

  /**
   * Sends the POST of a submission, the only request of `work`.
   *
   * @throws NotAccepted, ProviderFailure, OutcomeUnknown; the signal's reason
   */
  submit<T>(work: Work<T>, options: CallOptions): Promise<T> {
    return failingAs(this.http.call(work, options), options, (error) =>
      submissionFailure(error, this.classify, this.isNotAccepted),
    );
  }

  /**
   * Sends a request before the POST that starts nothing, such as an upload.
   *
   * @throws NotAccepted, ProviderFailure; the signal's reason
   */
  prepare<T>(work: Work<T>, options: CallOptions): Promise<T> {
    return failingAs(this.http.call(work, options), options, (error) => preparationFailure(error, this.classify));
  }

  /**
   * Reads from the vendor, or requests a cancellation.
   *
   * @param resultOf maps a refusal that is a result, such as a 404 to "absent"; `undefined` for a failure
   * @throws ProviderFailure; the signal's reason
   */
  query<T>(
    work: Work<T>,
    options: CallOptions,
    resultOf: (refusal: VendorResponse) => T | undefined = () => undefined,
  ): Promise<T> {
    const querying = this.http.call(work, options).catch((error: unknown) => {
      const result = error instanceof VendorCallFailed && error.response ? resultOf(error.response) : undefined;
      if (result === undefined) throw error;
      return result;
    });
    return failingAs(querying, options, queryFailure);
  }
}

async function failingAs<T>(
  calling: Promise<T>,
  { signal }: CallOptions,
  failureOf: (error: unknown) => Error,
): Promise<T> {
  try {
    return await calling;
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error);
  }
}

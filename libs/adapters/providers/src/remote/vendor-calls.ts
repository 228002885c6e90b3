import { VendorCallFailed, type CallOptions, type VendorFetch, type VendorResponse } from '#adapters/outgoing-http';
import {
  preparationFailure,
  questionFailure,
  submissionFailure,
  type OwnResponse,
  type RefusalCode,
} from './failures.ts';

type Fetch = typeof globalThis.fetch;
type Work<T> = (fetch: Fetch) => Promise<T>;

/** The calls of one vendor's adapter, which fail as the methods of `RemoteProvider` do. */
export class VendorCalls {
  constructor(
    private readonly http: VendorFetch,
    private readonly codeOf: RefusalCode = () => null,
    private readonly isOwn?: OwnResponse,
  ) {}

  /**
   * Sends the POST of a submission, the only request of `work`.
   *
   * @throws NotAccepted, ProviderFailure, OutcomeUnknown; the signal's reason
   */
  submit<T>(work: Work<T>, options: CallOptions): Promise<T> {
    return failingAs(this.http.call(work, options), options, (error) =>
      submissionFailure(error, this.codeOf, this.isOwn),
    );
  }

  /**
   * Sends what comes before that POST and starts nothing, such as an upload.
   *
   * @throws NotAccepted, ProviderFailure; the signal's reason
   */
  prepare<T>(work: Work<T>, options: CallOptions): Promise<T> {
    return failingAs(this.http.call(work, options), options, (error) => preparationFailure(error, this.codeOf));
  }

  /**
   * Asks the vendor, or tells it to cancel.
   *
   * @param meaningOf what a refusal means, such as 404 "absent"; `undefined` for a failure
   * @throws ProviderFailure; the signal's reason
   */
  ask<T>(
    work: Work<T>,
    options: CallOptions,
    meaningOf: (refusal: VendorResponse) => T | undefined = () => undefined,
  ): Promise<T> {
    const asking = this.http.call(work, options).catch((error: unknown) => {
      const meaning = error instanceof VendorCallFailed && error.response ? meaningOf(error.response) : undefined;
      if (meaning === undefined) throw error;
      return meaning;
    });
    return failingAs(asking, options, questionFailure);
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

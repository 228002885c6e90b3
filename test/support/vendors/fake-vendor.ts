/** Behaviour of a fake vendor for one submission. */
export type VendorBehaviour =
  /** Accepts it, is busy for a moment, and ends it with outputs. */
  | 'works'
  /** Closes the connection before it has read the request: nothing was started. */
  | 'drops_before'
  /** Starts it, and closes the connection without a response. */
  | 'drops_after'
  /** Starts it, and never responds. */
  | 'hangs'
  /** 429 with Retry-After; nothing was started. */
  | 'busy'
  /** 503; nothing was started. */
  | 'down'
  /** 429, or 503, but starts it. */
  | 'busy_but_starts'
  | 'down_but_starts'
  /** 401: the key is wrong. */
  | 'refuses_key'
  /** Refuses the input, where and how the vendor does. */
  | 'rejects'
  /** Its moderation refuses the content, where and how the vendor does. */
  | 'moderates'
  /** Accepts it, and says later that it failed. */
  | 'fails'
  /** Accepts it, and never ends it. */
  | 'never_ends'
  /** Ends it, then says that it still runs, and so on; states that do not exist. */
  | 'lies'
  /** Ends it with an output that is HTML, named and declared as a PNG. */
  | 'sends_html'
  /** Ends it with an output that announces more than 2 GB. */
  | 'sends_too_much'
  /** Ends it with an output that is gone. */
  | 'loses_output'
  /** Ends it with an output whose bytes do not come at the first two downloads. */
  | 'hangs_output';

/** A submission as the fake vendor has started it: one for each that the real one would bill. */
export interface FakeSubmission {
  readonly id: string;
  /** The vendor's fields as they arrived, pictures by URL, data URI, or the name of an upload. */
  readonly fields: unknown;
  readonly isCanceled: boolean;
}

export interface SignedWebhook {
  readonly body: Buffer;
  readonly headers: Record<string, string>;
}

/** A server on loopback that speaks like a vendor; written from the vendor's own documents and SDK types. */
export interface FakeVendor {
  readonly url: string;
  /** In the order of their start. */
  readonly submissions: readonly FakeSubmission[];
  /** POSTs that would start something, also those that were refused or dropped. */
  readonly posts: number;
  /** Behaviours for the next submissions, in order; then each `otherwise` (default `works`). */
  plan(next: readonly VendorBehaviour[], otherwise?: VendorBehaviour): void;
  /** Submissions whose fields contain this text work, whatever is planned. */
  spare(text: string): void;
  /** The bytes of the outputs of a submission. */
  outputsOf(id: string): Promise<readonly Buffer[]>;
  /** Signs a webhook like the vendor; absent for a vendor without webhooks. */
  signWebhook?(body: object, at?: Date): SignedWebhook;
  /** The bytes of a picture that it got by its own upload. */
  upload(name: string): Buffer | null;
  /** Forgets what it keeps in memory only, as a restart of the vendor would. */
  restart(): void;
  close(): Promise<void>;
}

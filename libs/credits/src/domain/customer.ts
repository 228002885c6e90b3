/** The fields of a customer that callers write. */
export interface CustomerProfile {
  readonly name: string | null;
  /** Credits that may be spent for them in a calendar month (UTC), and in all; `null` for no limit. */
  readonly monthlyCredits: number | null;
  readonly totalCredits: number | null;
}

/** A user of a caller's application, by the label that the calls for them have. */
export interface Customer extends CustomerProfile {
  readonly id: number;
  readonly customer: string;
  readonly createdAt: Date;
}

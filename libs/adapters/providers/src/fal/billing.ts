import { vendorPriceIn } from '#catalogue';

/** The units of a request that fal bills, in the response with its result. */
const UNITS = 'x-fal-billable-units';
/** How long a price is taken to be the same. */
const PRICE_MS = 3_600_000;

/** Prices of requests to fal: units times the price of the endpoint. */
export class FalBilling {
  readonly #prices = new Map<string, { readonly until: number; readonly amount: number | null }>();

  /** @param readPrices reads fal's price of an endpoint */
  constructor(
    private readonly readPrices: (endpoint: string) => Promise<unknown>,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * @param endpoint `null` for a request of an earlier version
   * @returns `null` when fal does not say: a cost never fails the request
   */
  async costOf({ headers }: Pick<Response, 'headers'>, endpoint: string | null): Promise<number | null> {
    const units = Number(headers.get(UNITS) ?? NaN);
    if (endpoint === null || !Number.isFinite(units) || units < 0) return null;
    const price = await this.#priceOf(endpoint);
    // Removes rounding errors of binary fractions.
    return price === null ? null : Number((units * price).toPrecision(12));
  }

  async #priceOf(endpoint: string): Promise<number | null> {
    const known = this.#prices.get(endpoint);
    if (known && known.until > this.now()) return known.amount;
    const amount = await this.readPrices(endpoint).then(
      (prices) => vendorPriceIn(prices, endpoint)?.amount ?? null,
      () => null,
    );
    this.#prices.set(endpoint, { until: this.now() + PRICE_MS, amount });
    return amount;
  }
}

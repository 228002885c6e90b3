/** What one process does at each vendor at a time: a vendor that hangs leaves places to the others. */
export class VendorPlaces {
  readonly #taken = new Map<string, number>();

  /** @param ofVendor places of each vendor */
  constructor(private readonly ofVendor: number) {}

  /** Does `work` in a place of the vendor; `null`, without doing it, when all are taken. */
  during<T>(vendor: string, work: () => Promise<T>): Promise<T> | null {
    const taken = this.#taken.get(vendor) ?? 0;
    if (taken >= this.ofVendor) return null;
    this.#taken.set(vendor, taken + 1);
    return work().finally(() => this.#taken.set(vendor, this.#taken.get(vendor)! - 1));
  }
}

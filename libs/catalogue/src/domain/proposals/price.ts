import type { VendorPrice } from './proposal.ts';
import { fieldOf, listOf } from './schema.ts';
import { plainText } from './text.ts';

const MAX_PRICES = 50;
const MAX_UNIT = 50;

/**
 * The price of an endpoint in the response of fal's `/v1/models/pricing`; `null` when the response does not have it. It is
 * shown to operators, and never becomes a cost by itself.
 */
export function vendorPriceIn(document: unknown, endpoint: string): VendorPrice | null {
  const prices = listOf(fieldOf(document, 'prices')).slice(0, MAX_PRICES);
  const found = prices.find((price) => fieldOf(price, 'endpoint_id') === endpoint);
  const amount = fieldOf(found, 'unit_price');
  const currency = fieldOf(found, 'currency');
  const unit = plainText(fieldOf(found, 'unit'), MAX_UNIT);
  if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0 || unit === null) return null;
  return typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? { amount, currency, unit } : null;
}

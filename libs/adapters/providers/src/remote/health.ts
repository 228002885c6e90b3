import type { Model } from '#catalogue';
import { ProviderFailure, type ProviderHealth } from '#generation';

/**
 * Determines the health of a vendor by one query.
 *
 * @param hasTarget queries, with the key, whether the vendor has the target of the model; `null` when there is no model
 * or the vendor can't say. Throws like `VendorCalls.query`
 */
export async function healthOf(model: Model | null, hasTarget: () => Promise<boolean | null>): Promise<ProviderHealth> {
  try {
    const found = await hasTarget();
    if (found === false && !model) {
      const remedy = 'check base_url: what responds there is not this provider';
      return { isReachable: true, isKeyAccepted: null, hasTarget: null, remedy };
    }
    const remedy = found === false ? `check the target ${model?.target}: the provider does not have it` : null;
    return { isReachable: true, isKeyAccepted: true, hasTarget: found, remedy };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    if (error.code === 'provider_misconfigured') {
      const remedy = 'check the key and the account: the provider refuses the key';
      return { isReachable: true, isKeyAccepted: false, hasTarget: null, remedy };
    }
    const remedy = 'check base_url, the network, and whether the provider is up';
    return { isReachable: false, isKeyAccepted: null, hasTarget: null, remedy };
  }
}

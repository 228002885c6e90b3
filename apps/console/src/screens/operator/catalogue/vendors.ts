/** The types of providers that can be added, in the order of the form. */
export const VENDOR_TYPES = ['replicate', 'fal', 'openai', 'comfyui'] as const;
export type VendorType = (typeof VENDOR_TYPES)[number];

export function isVendorType(type: string): type is VendorType {
  return (VENDOR_TYPES as readonly string[]).includes(type);
}

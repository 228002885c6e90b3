export { isPublicUrl } from './public-address.ts';
export * from './safe-http.ts';
export * from './safe-remote-sources.ts';
export { mayCall } from './target-policy.ts';
export {
  VendorCallFailed,
  VendorFetch,
  type CallOptions,
  type VendorFetchOptions,
  type VendorResponse,
  type VendorSocket,
} from './vendor-fetch.ts';

export * from './safe-http.ts';
export * from './safe-remote-sources.ts';
export {
  VendorCallFailed,
  VendorFetch,
  type CallOptions,
  type VendorFetchOptions,
  type VendorResponse,
} from './vendor-fetch.ts';

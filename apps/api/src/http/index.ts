export { readBody } from './body/read-body.ts';
export { configureHttp, HTTP_OPTIONS } from './configure-http.ts';
export { domainErrorOf, ErrorFilter } from './error-filter.ts';
export { errorBody, statusOf } from './errors.ts';
export { type ExistenceCheck, ExistenceChecks, Existing } from './existence.ts';
export * from './fields/list-fields.ts';
export * from './fields/custom-data-fields.ts';
export * from './fields/number-fields.ts';
export * from './fields/text-fields.ts';
export { readFields } from './fields/dto.ts';
export * from './fields/dto-of.ts';
export * from './fields/time-fields.ts';
export { HttpModule } from './http.module.ts';
export { IDEMPOTENCY_HEADER, Post } from './idempotency/idempotency-interceptor.ts';
export { JsonAdapter } from './json-adapter.ts';
export { type OwnCall, OwnOperations } from './own-operations.ts';
export * from './page-query.ts';
export {
  BodyFields,
  CurrentActor,
  CurrentUrls,
  LaterBody,
  CurrentRequest,
  PathId,
  pathId,
  RawBody,
  requestFields,
  RequestBody,
  RequestFields,
  RequestQuery,
  TakesCsv,
  TakesFile,
  TakesText,
} from './parameters.ts';
export { FAILURES_SECONDS, LimitFailures, waitSeconds } from './rate-limit/failure-limit.ts';
export { hashed, refuse, RequestLimits, Unlimited } from './rate-limit/request-limits.ts';
export {
  type ApiRequest,
  bearerToken,
  clientAddress,
  type FieldValues,
  hasBearer,
  isFromThisMachine,
  oncePerRoute,
  pathOf,
  queryOf,
} from './request.ts';
export { jsonOf, Responds } from './responds.ts';
export { cookiesOf, OwnPage, SessionCookie } from './session-cookie.ts';
export { Facade, May, Public } from './token-guard.ts';

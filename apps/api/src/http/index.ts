export { configureHttp, HTTP_OPTIONS } from './configure-http.ts';
export { errorBody, statusOf } from './errors.ts';
export { type ExistenceCheck, ExistenceChecks, Existing } from './existence.ts';
export {
  ChoicesField,
  CountsField,
  IdOrNameField,
  IdsField,
  IndexesField,
  JsonField,
  ListField,
  TextsField,
  NumberOrNumbersField,
  ObjectField,
  ObjectOrWordField,
  ObjectsField,
  PairField,
  OutputField,
  RowsField,
} from './fields/list-fields.ts';
export {
  CustomDataDto,
  customDataOf,
  CustomDataRequest,
  CustomerField,
  CustomerFilter,
  ShownCustomer,
  ShownMetadata,
} from './fields/custom-data-fields.ts';
export { BooleanField, IdOrWordField, IntegerField, NumberField } from './fields/number-fields.ts';
export { ChoiceField, EmailField, TextField, TimeField, UrlField } from './fields/text-fields.ts';
export { readFields } from './fields/dto.ts';
export { dtoOf } from './fields/dto-of.ts';
export { TimeBoundField, timeOf } from './fields/time-fields.ts';
export { HttpModule } from './http.module.ts';
export { Post } from './idempotency/idempotency-interceptor.ts';
export { JsonAdapter } from './json-adapter.ts';
export { cursorOf, pageOfWhole, PageQuery, PageResponse, SearchQuery } from './page-query.ts';
export {
  BodyFields,
  CurrentActor,
  CurrentRequest,
  PathId,
  pathId,
  RawBody,
  requestFields,
  RequestBody,
  RequestFields,
  RequestQuery,
  TakesCsv,
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
} from './request.ts';
export { jsonOf, Responds } from './responds.ts';
export { cookiesOf, OwnPage, SessionCookie } from './session-cookie.ts';
export { May, Public } from './token-guard.ts';

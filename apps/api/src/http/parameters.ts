import { createParamDecorator, type ExecutionContext, SetMetadata, type Type } from '@nestjs/common';
import { invalidField } from '#kernel';
import type { IssuedUrls } from '#files';
import type { Actor } from '#identity';
import { fieldsOf } from './fields/field.ts';
import { parseInteger } from './fields/number-fields.ts';
import { readFields } from './fields/dto.ts';
import { type BodyOptions, hasBody, readBody, readBodyFields } from './body/read-body.ts';
import { type CsvField, type FileField, mergeFields, parseUrlencoded } from './body/parse-body.ts';
import { type ApiRequest, type FieldValues, oncePerRoute, queryOf } from './request.ts';

/**
 * Metadata of methods: whether the request has a body of fields or any other, a page, and the classes and ids that
 * parameters declare.
 */
export const TAKES_BODY = Symbol('takes body');
export const RAW_BODY = Symbol('raw body');
export const CSV_BODY = Symbol('csv body');
export const FILE_BODY = Symbol('file body');
const TEXT_LENGTH = Symbol('text length');
export const BODY_CLASS = Symbol('body class');
export const QUERY_CLASS = Symbol('query class');
export const PAGE_QUERY = Symbol('page query');
export const PATH_IDS = Symbol('path ids');

/** A parameter decorator that takes its value from the request. */
function requestParameter<Option>(read: (request: ApiRequest, option: Option) => unknown) {
  return createParamDecorator((option: Option, context: ExecutionContext) => read(requestOf(context), option));
}

/** A parameter decorator that takes its value from the fields of the request. */
export function fieldsParameter<Option>(read: (fields: FieldValues, option: Option) => unknown) {
  return createParamDecorator(async (option: Option, context: ExecutionContext) =>
    read(await requestFields(context), option),
  );
}

function requestOf(context: ExecutionContext): ApiRequest {
  return context.switchToHttp().getRequest<ApiRequest>();
}

const takenBy = oncePerRoute((context) => {
  const takes = (...keys: symbol[]) => keys.some((key) => Reflect.hasMetadata(key, context.getHandler()));
  const csv = Reflect.getMetadata(CSV_BODY, context.getHandler()) as CsvField | undefined;
  const file = Reflect.getMetadata(FILE_BODY, context.getHandler()) as FileField | undefined;
  const textLength = Reflect.getMetadata(TEXT_LENGTH, context.getHandler()) as number | undefined;
  return {
    csv,
    file,
    textLength,
    body: takes(TAKES_BODY),
    rawBody: takes(RAW_BODY),
    query: takes(QUERY_CLASS, PAGE_QUERY),
  };
});

/**
 * The fields of the body and the query string, as far as the route takes them. They are read at their first use, after
 * the guards: no body of an untrusted caller is read.
 */
export function requestFields(context: ExecutionContext): Promise<FieldValues> {
  const request = requestOf(context);
  return (request.fields ??= readRequestFields(request, takenBy(context)));
}

async function readRequestFields(
  request: ApiRequest,
  takes: BodyOptions & { readonly body: boolean; readonly rawBody: boolean; readonly query: boolean },
): Promise<FieldValues> {
  if (!takes.query) return takes.body ? readBodyFields(request, takes) : {};
  const query = parseUrlencoded(queryOf(request));
  // A GET with a form body has the fields of both.
  return takes.body || (hasBody(request) && !takes.rawBody)
    ? mergeFields(query, await readBodyFields(request, takes))
    : query;
}

/** Sets metadata on the method of a decorated parameter. */
export function markMethod(prototype: object, name: string | symbol, key: symbol, value: unknown): void {
  SetMetadata(key, value)(prototype, name, Object.getOwnPropertyDescriptor(prototype, name)!);
}

const FieldsParameter = fieldsParameter((fields) => fields);
const RawBodyParameter = requestParameter((request) => readBody(request));
const IdParameter = requestParameter((request, name: string): number => {
  const id = pathId(request, name);
  if (id === null) throw invalidField(name, 'must be a positive integer');
  return id;
});

/** The caller: the `Actor` that the request's token belongs to. */
export const CurrentActor = requestParameter(({ actor }): Actor => {
  if (!actor) throw new Error('@CurrentActor() on a public route');
  return actor;
});

/** The URLs of files for the caller, or for the guest. */
export const CurrentUrls = requestParameter(({ urls }): IssuedUrls => {
  if (!urls) throw new Error('@CurrentUrls() on a public route');
  return urls();
});

/** The request itself, for values that no other parameter has. */
export const CurrentRequest = requestParameter((request): ApiRequest => request);

/** A parameter with the fields of the request that its class declares; each of `marks` is set to the class. */
function classParameter(...marks: symbol[]): () => ParameterDecorator {
  const Parameter = fieldsParameter((fields, type: Type<object>) => readFields(type, fields));
  return () => (prototype, method, index) => {
    const type = classOf(prototype, method!, index);
    Parameter(type)(prototype, method, index);
    for (const mark of marks) markMethod(prototype, method!, mark, type);
  };
}

const LaterParameter = createParamDecorator(
  (type: Type<object>, context: ExecutionContext) => async () => readFields(type, await requestFields(context)),
);

/** A function that reads the request body, as `type` declares it: for a large body that has to wait for its turn. */
export function LaterBody(type: Type<object>): ParameterDecorator {
  return (prototype, method, index) => {
    LaterParameter(type)(prototype, method, index);
    for (const mark of [TAKES_BODY, BODY_CLASS]) markMethod(prototype, method!, mark, type);
  };
}

/** The request body, in any of the three body types, as the class of the parameter declares it. */
export const RequestBody = classParameter(TAKES_BODY, BODY_CLASS);

/** The query string, as the class of the parameter declares it; a GET with a form body has the fields of both. */
export const RequestQuery = classParameter(QUERY_CLASS);

/** The fields of the request body and of the query string, as the class of the parameter declares them. */
export const RequestFields = classParameter(TAKES_BODY, BODY_CLASS, QUERY_CLASS);

/** All fields of the request, including fields that no class declares. */
export function BodyFields(): ParameterDecorator {
  return (prototype, method, index) => {
    FieldsParameter()(prototype, method, index);
    markMethod(prototype, method!, TAKES_BODY, true);
  };
}

/** The body may also be CSV, whose rows are the value of a field. The other fields are then in the query string. */
export function TakesCsv(csv: CsvField): MethodDecorator {
  return SetMetadata(CSV_BODY, csv);
}

/** The body may also be a file, alone or in a form: the value of a field, a `Buffer`. */
export function TakesFile(file: FileField): MethodDecorator {
  return SetMetadata(FILE_BODY, file);
}

/** The body of a public route may be as long as a text of so many characters needs, in each of the three body types. */
export function TakesText(length: number): MethodDecorator {
  return SetMetadata(TEXT_LENGTH, length);
}

/** The bytes of the request body, of any type. */
export function RawBody(): ParameterDecorator {
  return (prototype, method, index) => {
    RawBodyParameter()(prototype, method, index);
    markMethod(prototype, method!, RAW_BODY, true);
  };
}

/** The id in the path under `name`, a positive integer. */
export function PathId(name: string): ParameterDecorator {
  return (prototype, method, index) => {
    IdParameter(name)(prototype, method, index);
    const { value } = Object.getOwnPropertyDescriptor(prototype, method!)!;
    const others = (Reflect.getMetadata(PATH_IDS, value as object) as string[] | undefined) ?? [];
    markMethod(prototype, method!, PATH_IDS, [...others, name]);
  };
}

/** The id in the path under `name`, or `null` if it is not a positive integer. */
export function pathId(request: ApiRequest, name: string): number | null {
  const id = parseInteger(request.params[name]);
  return typeof id === 'number' && id > 0 ? id : null;
}

/** @throws TypeError if the class of the parameter has no fields: it is imported as a type, or is no DTO */
function classOf(prototype: object, method: string | symbol, index: number): Type<object> {
  const types = Reflect.getMetadata('design:paramtypes', prototype, method) as unknown[] | undefined;
  const type = types?.[index];
  if (typeof type === 'function' && fieldsOf(type as Type<object>).size > 0) return type as Type<object>;
  const where = `${prototype.constructor.name}.${String(method)}`;
  throw new TypeError(`parameter ${index} of ${where} has no DTO class: import it as a value, not as a type`);
}

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { OpenAPIObject } from '@nestjs/swagger';

/** The responses that an OpenAPI document declares. */
export class DocumentedResponses {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #paths: readonly (readonly [template: string, pattern: RegExp])[];
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: OpenAPIObject) {
    formats.default(this.#ajv);
    this.#ajv.addSchema(document, 'api');
    this.#paths = Object.keys(document.paths)
      .sort((a, b) => a.split('{').length - b.split('{').length)
      .map((path) => [path, new RegExp(`^(?:/v2(?=/boards))?${path.replace(/\{\w+\}/g, '[^/]+')}$`)]);
  }

  /**
   * Responses to what is not in the document are not checked, such as those of files.
   *
   * @throws Error if status, content type or body are not as declared
   */
  check(method: string, path: string, response: { status: number; headers: Headers; body: unknown }): void {
    const [template] = this.#paths.find(([, pattern]) => pattern.test(path)) ?? [];
    const operation = template && this.document.paths[template]?.[method.toLowerCase() as 'get'];
    if (!operation) return;
    // The text of a redirect is of no use.
    const isRedirect = response.status >= 300 && response.status < 400;
    const type = (!isRedirect && response.headers.get('content-type')?.split(';')[0]) || 'no content';
    const place = ['paths', template, method.toLowerCase(), 'responses', String(response.status), 'content', type];
    const declared = operation.responses[response.status] as { content?: Record<string, object> } | undefined;
    const isDeclared = type === 'no content' ? declared && !declared.content : declared?.content?.[type];
    if (!isDeclared) throw new Error(`not in the OpenAPI document: ${place.slice(1).join(' ')}`);
    if (type !== 'application/json') return;
    const validate = this.#validatorOf([...place, 'schema'].map(pointerStep).join('/'));
    if (validate(response.body)) return;
    const problems = this.#ajv.errorsText(validate.errors, { dataVar: 'body', separator: '\n' });
    throw new Error(`${place.slice(1).join(' ')} is not as documented:\n${problems}\n${JSON.stringify(response.body)}`);
  }

  #validatorOf(pointer: string): ValidateFunction {
    if (!this.#validators.has(pointer)) this.#validators.set(pointer, this.#ajv.compile({ $ref: `api#/${pointer}` }));
    return this.#validators.get(pointer)!;
  }
}

function pointerStep(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

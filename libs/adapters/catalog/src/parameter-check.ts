import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import {
  expectationOf,
  parametersSchema,
  type Model,
  type ParameterCheck,
  type ParameterProblems,
  type ParameterValues,
} from '#catalogue';
import { LinearPatterns } from './linear-patterns.ts';
import type { Problem } from './schema-problems.ts';

const MAX_PROBLEMS = 5;

/** Checks parameters by their JSON Schema (2020-12). The validator of a model is compiled at its first use. */
export class AjvParameterCheck implements ParameterCheck {
  readonly #patterns = new LinearPatterns();
  readonly #ajv = createAjv({ code: { regExp: this.#patterns.engine } });
  readonly #validators = new WeakMap<Model, ValidateFunction>();

  problemsOf(model: Model, values: ParameterValues): ParameterProblems {
    const validate = this.#validatorOf(model);
    this.#patterns.begin();
    if (validate(values)) return {};
    const problems: Record<string, string[]> = {};
    for (const error of validate.errors!) {
      const [name = '', ...path] = error.instancePath.slice(1).split('/');
      const messages = (problems[name] ??= []);
      const message = messageOf(model, name, path, error);
      if (!messages.includes(message) && messages.length < MAX_PROBLEMS) messages.push(message);
    }
    return problems;
  }

  /** Problems of the schemas themselves, of their defaults and of their choices. */
  schemaProblems(model: Model): readonly Problem[] {
    try {
      this.#validatorOf(model);
    } catch (error) {
      return this.#brokenSchemas(model, error as Error);
    }
    return Object.entries(model.parameters).flatMap(([name, { default: byDefault, enum: choices = [] }]) => {
      const isWrong = (value: unknown): boolean => {
        this.#patterns.begin();
        return !this.#validatorOf(model)({ [name]: value });
      };
      const message = `must be ${expectationOf(model.parameters[name]!)}`;
      const problems: Problem[] = [];
      if (byDefault !== undefined && isWrong(byDefault)) problems.push({ path: [name, 'default'], message });
      const wrong = choices.findIndex(isWrong);
      if (wrong >= 0)
        problems.push({ path: [name, 'enum', String(wrong)], message: 'does not fit the other keywords' });
      return problems;
    });
  }

  #brokenSchemas({ parameters }: Model, whole: Error): readonly Problem[] {
    const broken = Object.entries(parameters).flatMap(([name, parameter]) => {
      try {
        this.#ajv.compile(parameter);
        return [];
      } catch (error) {
        return [{ path: [name], message: schemaMessage(error as Error) }];
      }
    });
    return broken.length > 0 ? broken : [{ path: [], message: schemaMessage(whole) }];
  }

  #validatorOf(model: Model): ValidateFunction {
    let validate = this.#validators.get(model);
    if (!validate) {
      validate = this.#ajv.compile(parametersSchema(model));
      this.#validators.set(model, validate);
    }
    return validate;
  }
}

export function createAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, logger: false, ...options });
  addFormats.default(ajv);
  return ajv;
}

function schemaMessage({ message }: Error): string {
  return `is not a valid JSON Schema (${message.replace(/^strict mode: /, '')})`;
}

/** The valid values of the parameter; for an object or a list, the problem inside it. */
function messageOf({ parameters }: Model, name: string, path: readonly string[], error: ErrorObject): string {
  const parameter = parameters[name]!;
  const isInside = parameter.type === 'object' || parameter.type === 'array';
  if (path.length === 0 && (!isInside || error.keyword === 'type' || error.keyword === 'enum')) {
    return `must be ${expectationOf(parameter)}`;
  }
  const message = (error.message ?? 'is wrong').replace('must NOT', 'must not');
  return path.length === 0 ? message : `${message} at ${path.join('.')}`;
}

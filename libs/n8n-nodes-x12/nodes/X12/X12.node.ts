import {
  type IDataObject,
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  type INodeExecutionData,
  type INodePropertyOptions,
  type INodeType,
  type INodeTypeDescription,
  NodeApiError,
  NodeConnectionTypes,
  NodeOperationError,
} from 'n8n-workflow';
import { callApi } from '../transport.ts';
import { find, share, upload } from './files.ts';
import { collect, generate } from './generation.ts';
import { properties } from './properties.ts';

const OPERATIONS = { generate, collect, find, share, upload };
/** Items under way at the same time. */
const AT_ONCE = 10;

export class X12 implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'X12',
    name: 'x12',
    icon: { light: 'file:../../icons/x12.svg', dark: 'file:../../icons/x12.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: 'Generate, find, share and upload pictures and videos',
    defaults: { name: 'X12' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'x12Api', required: true }],
    properties,
  };

  methods = {
    loadOptions: {
      async getModels(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        const { models } = (await callApi<{ models: IDataObject[] }>(this, 'GET', '/v2/models')).body;
        return models.map(({ id, title, kind, cost, cost_per: per, description }) => ({
          name: `${String(title)} (${String(kind)}${typeof cost === 'number' ? `, ${cost} credits per ${String(per)}` : ''})`,
          value: String(id),
          description: String(description ?? id),
        }));
      },
      async getPersonas(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        const { personas } = (await callApi<{ personas: IDataObject[] }>(this, 'GET', '/v2/personas')).body;
        const named = personas.map(({ id, name }) => ({ name: String(name), value: Number(id) }));
        return [{ name: 'None', value: '' }, ...named];
      },
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const all = this.getInputData().map((_, itemIndex) => itemIndex);
    const done: INodeExecutionData[] = [];
    for (let first = 0; first < all.length; first += AT_ONCE) {
      const turn = all.slice(first, first + AT_ONCE).map((itemIndex) => executeItem(this, itemIndex));
      // A failure ends the node once its neighbours have ended, so that none goes on behind the back of a retry.
      for (const result of await Promise.allSettled(turn)) {
        if (result.status === 'rejected') throw result.reason;
        done.push(...result.value);
      }
    }
    return [done];
  }
}

/** @throws NodeApiError or NodeOperationError, unless the node continues on fail: then its item has the error */
async function executeItem(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const operation = context.getNodeParameter('operation', itemIndex) as keyof typeof OPERATIONS;
  try {
    return await OPERATIONS[operation](context, itemIndex);
  } catch (error) {
    const isOurs = error instanceof NodeApiError || error instanceof NodeOperationError;
    const problem = isOurs ? error : new NodeOperationError(context.getNode(), error as Error, { itemIndex });
    if (!context.continueOnFail()) throw problem;
    const { code, errors } = problem.context as IDataObject;
    return [{ json: { error: problem.message, code, errors }, pairedItem: { item: itemIndex } }];
  }
}

import type { IDataObject, IExecuteFunctions, ILoadOptionsFunctions, INodeExecutionData } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeApiError, NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import { callApi } from '../transport.ts';
import { find, share, upload } from './files.ts';
import { collect, generate } from './generation.ts';
import { properties } from './properties.ts';

type Item = Pick<INodeExecutionData, 'json' | 'binary'>;
type Operation = (context: IExecuteFunctions, itemIndex: number) => Promise<Item[]>;

const OPERATIONS: Readonly<Record<string, Operation>> = { generate, collect, find, share, upload };
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
      async getModels(this: ILoadOptionsFunctions) {
        const { models } = (await callApi<{ models: IDataObject[] }>(this, 'GET', '/v2/models')).body;
        return models.map(({ id, title, kind, cost, cost_per: per }) => {
          const price = typeof cost === 'number' ? `${cost} credits per ${String(per)}` : 'cost by parameters';
          return { name: `${String(title)} (${String(kind)}, ${price})`, value: String(id) };
        });
      },
      async getPersonas(this: ILoadOptionsFunctions) {
        const { personas } = (await callApi<{ personas: IDataObject[] }>(this, 'GET', '/v2/personas')).body;
        const named = personas.map(({ id, name }) => ({ name: String(name), value: Number(id) }));
        return [{ name: 'None', value: '' }, ...named];
      },
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const all = [...this.getInputData().keys()];
    const done: INodeExecutionData[] = [];
    for (let first = 0; first < all.length; first += AT_ONCE) {
      const turn = all.slice(first, first + AT_ONCE).map((itemIndex) => executeItem(this, itemIndex));
      // A failure ends the node after its neighbours have ended: none of them is under way while n8n retries.
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
  const pairedItem = { item: itemIndex };
  try {
    const operation = OPERATIONS[context.getNodeParameter('operation', itemIndex) as string]!;
    return (await operation(context, itemIndex)).map((item) => ({ ...item, pairedItem }));
  } catch (error) {
    const isApi = error instanceof NodeApiError;
    const problem = isApi ? error : new NodeOperationError(context.getNode(), error as Error, { itemIndex });
    if (!context.continueOnFail()) throw problem;
    const { code, errors } = problem.context as IDataObject;
    return [{ json: { error: problem.message, code, errors }, pairedItem }];
  }
}

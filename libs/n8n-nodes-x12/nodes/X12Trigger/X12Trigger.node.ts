import type { IDataObject, IHookFunctions, INodeType, INodeTypeDescription, IWebhookFunctions } from 'n8n-workflow';
import { type IWebhookResponseData, NodeConnectionTypes } from 'n8n-workflow';
import { callApi } from '../transport.ts';
import { isGenuine } from './signature.ts';

type Endpoint = { readonly id: number; readonly url: string; readonly types: string[]; readonly active: boolean };
/** Static data of the node: its endpoint, and the `webhook-id` of the latest events. */
type Registered = { id?: number; secret?: string; seen?: string[] };

const ENDPOINTS = '/v2/webhook_endpoints';
const REMEMBERED = 100;
const TYPES = [
  ...['*', 'generation.succeeded', 'generation.failed', 'generation.canceled', 'batch.ended', 'style.ready'],
  ...['style.failed', 'upload.saved', 'media.processed', 'media.failed', 'board.created', 'board.deleted'],
  ...['comment.created', 'comment.updated', 'decision.made', 'share.opened', 'review.summary', 'member.joined'],
  ...['member.left', 'member.role_changed', 'credits.low', 'budget.exceeded', 'model.retiring', 'model.gone'],
  ...['provider.failing', 'file.expired'],
];

export class X12Trigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'X12 Trigger',
    name: 'x12Trigger',
    icon: { light: 'file:../../icons/x12.svg', dark: 'file:../../icons/x12.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["types"].join(", ")}}',
    description: 'Starts the workflow when an event happens in an X12 workspace',
    defaults: { name: 'X12 Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'x12Api', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Events',
        name: 'types',
        type: 'multiOptions',
        options: TYPES.map((type) => ({ name: type === '*' ? 'All' : type, value: type })),
        default: ['generation.succeeded'],
        required: true,
        description: 'Types of events. The token must be of an admin or the owner of the workspace.',
      },
    ],
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { id, secret } = this.getWorkflowStaticData('node') as Registered;
        const found = (await endpointsOf(this)).find((endpoint) => endpoint.id === id);
        const types = this.getNodeParameter('types') as string[];
        return !!secret && !!found?.active && found.types.toSorted().join() === types.toSorted().join();
      },
      async create(this: IHookFunctions): Promise<boolean> {
        // The secret of an endpoint is shown once: an endpoint whose secret n8n has lost is of no use.
        await deleteEndpoints(this);
        const url = this.getNodeWebhookUrl('default');
        const body = { url, types: this.getNodeParameter('types'), description: `n8n: ${this.getWorkflow().name}` };
        const { id, secret } = (await callApi(this, 'POST', ENDPOINTS, { body })).body.webhook_endpoint as IDataObject;
        Object.assign(this.getWorkflowStaticData('node'), { id, secret });
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        await deleteEndpoints(this);
        Object.assign(this.getWorkflowStaticData('node'), { id: undefined, secret: undefined });
        return true;
      },
    },
  };

  /**
   * Emits each event once as far as the static data knows: n8n stores it when the webhook has been handled, so two deliveries
   * of an event at the same moment, or after 100 others, are both emitted.
   */
  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const data = this.getWorkflowStaticData('node') as Registered;
    const headers = this.getHeaderData();
    const body = this.getRequestObject().rawBody ?? Buffer.alloc(0);
    if (!data.secret || !isGenuine(body, headers, data.secret)) {
      this.getResponseObject().status(401).json({ message: 'The signature is missing, wrong or too old' });
      return { noWebhookResponse: true };
    }
    const id = (headers as Record<string, string>)['webhook-id']!;
    const { seen = [] } = data;
    if (seen.includes(id)) return {};
    data.seen = [...seen, id].slice(-REMEMBERED);
    return { workflowData: [[{ json: JSON.parse(body.toString('utf8')) as IDataObject }]] };
  }
}

/** Endpoints at the URL of this node. */
async function endpointsOf(context: IHookFunctions): Promise<Endpoint[]> {
  const { body } = await callApi<{ webhook_endpoints: Endpoint[] }>(context, 'GET', ENDPOINTS);
  return body.webhook_endpoints.filter(({ url }) => url === context.getNodeWebhookUrl('default'));
}

async function deleteEndpoints(context: IHookFunctions): Promise<void> {
  for (const { id } of await endpointsOf(context)) await callApi(context, 'DELETE', `${ENDPOINTS}/${id}`);
}

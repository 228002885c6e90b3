import type {
  IAuthenticateGeneric,
  Icon,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from 'n8n-workflow';

const TOKEN = 'Made in the console. Scopes: read, generate, upload, boards; and webhooks of an admin, for the trigger.';
const required = { type: 'string', default: '', required: true } as const;

export class X12Api implements ICredentialType {
  name = 'x12Api';
  displayName = 'X12 API';
  icon: Icon = { light: 'file:../icons/x12.svg', dark: 'file:../icons/x12.dark.svg' };
  documentationUrl = 'https://docs.n8n.io/connect/create-nodes/';

  properties: INodeProperties[] = [
    { ...required, displayName: 'Base URL', name: 'baseUrl', placeholder: 'https://x12.example.com' },
    { ...required, displayName: 'Token', name: 'token', typeOptions: { password: true }, description: TOKEN },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.token}}' } },
  };

  test: ICredentialTestRequest = { request: { baseURL: '={{$credentials.baseUrl}}', url: '/v2/models' } };
}

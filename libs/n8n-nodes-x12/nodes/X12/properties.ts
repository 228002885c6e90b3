import type { INodeProperties, INodePropertyOptions, NodePropertyTypes } from 'n8n-workflow';

const choices = (...values: string[]): INodePropertyOptions[] => values.map((value) => ({ name: value, value }));
const LISTED =
  'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>';

/** A property of some operations. By default it is a text, and empty. */
function field(
  displayName: string,
  name: string,
  operation: string[],
  more: Partial<INodeProperties> & { when?: Record<string, (string | boolean)[]> } = {},
): INodeProperties {
  const { when, ...rest } = more;
  const type: NodePropertyTypes = 'string';
  return { displayName, name, type, default: '', displayOptions: { show: { operation, ...when } }, ...rest };
}

/** A property of a collection. */
const option = (displayName: string, name: string, more: Partial<INodeProperties> = {}): INodeProperties => ({
  ...{ displayName, name, type: 'string', default: '' },
  ...more,
});

function operations(resource: string, list: Record<string, [action: string, description: string]>): INodeProperties {
  const options = Object.entries(list).map(([value, [action, description]]) => {
    return { name: value[0]!.toUpperCase() + value.slice(1), value, action, description };
  });
  const displayOptions = { show: { resource: [resource] } };
  const fixed = { displayName: 'Operation', name: 'operation', type: 'options', noDataExpression: true } as const;
  return { ...fixed, options, displayOptions, default: options[0]!.value };
}

export const properties: INodeProperties[] = [
  option('Resource', 'resource', {
    type: 'options',
    noDataExpression: true,
    options: ['Generation', 'File'].map((name) => ({ name, value: name.toLowerCase() })),
    default: 'generation',
  }),
  operations('generation', {
    generate: ['Generate pictures or a video', 'Generate pictures or a video, which costs the credits of the model'],
    collect: ['Collect a generation', 'Wait for the outputs of a generation that was started before'],
  }),
  operations('file', {
    find: ['Find files', 'Search the library of the workspace'],
    share: ['Share files', 'Put files on a new board, and make a link to it for people without an account'],
    upload: ['Upload a file', 'Save a binary field as a file of the workspace'],
  }),
  field('Model Name or ID', 'model', ['generate'], {
    ...{ type: 'options', typeOptions: { loadOptionsMethod: 'getModels' }, required: true, description: LISTED },
  }),
  field('Prompt', 'prompt', ['generate'], { typeOptions: { rows: 3 }, description: 'What the picture or video shows' }),
  field('Persona Name or ID', 'personaId', ['generate', 'upload'], {
    ...{ type: 'options', typeOptions: { loadOptionsMethod: 'getPersonas' } },
    description: `Lends its style, and gets the files. ${LISTED}.`,
  }),
  field('Input Image Binary Field', 'imageField', ['generate'], {
    description: 'Binary field with the input image or start frame, which is uploaded as a temporary file',
  }),
  field('Input Image URL', 'imageUrl', ['generate'], {
    ...{ when: { imageField: [''] }, description: 'Instead of a binary field: public, or of a file of the workspace' },
  }),
  field('Parameters (JSON)', 'parameters', ['generate'], {
    ...{ type: 'json', default: '{}' },
    description: 'Further fields of POST /v2/generate and parameters of the model, such as {"seed": 7, "width": 512}',
  }),
  field('Cost Only', 'costOnly', ['generate'], {
    ...{ type: 'boolean', default: false },
    description: 'Whether to return only the cost and the inputs, and to generate and charge nothing',
  }),
  field('Wait for the End', 'waitForEnd', ['generate'], {
    ...{ type: 'boolean', default: true, when: { costOnly: [false] } },
    description: 'Whether to return the outputs. Otherwise only the ID of the generation is returned, for Collect.',
  }),
  field('Generation ID', 'generationId', ['collect'], {
    ...{ type: 'number', default: '={{ $json.generation_id }}', required: true },
  }),
  field('Wait at Most (Seconds)', 'waitSeconds', ['generate', 'collect'], {
    ...{ type: 'number', default: 300, typeOptions: { minValue: 0 } },
    description: 'The node fails if the generation has not ended by then; the generation goes on',
  }),
  field('Put Output in Field', 'outputField', ['generate', 'collect'], {
    ...{ default: 'data', description: 'Binary field for each output. Empty for JSON with URLs only.' },
  }),
  field('Input Binary Field', 'binaryField', ['upload'], { default: 'data', required: true }),
  field('Temporary', 'temporary', ['upload'], {
    ...{ type: 'boolean', default: false, description: 'Whether the file is deleted after 12 hours' },
  }),
  field('Words', 'query', ['find'], { description: 'Of the prompt, name, tags, persona or model, in any order' }),
  field('Return All', 'returnAll', ['find'], {
    ...{ type: 'boolean', default: false, description: 'Whether to return all results or only up to a given limit' },
  }),
  field('Limit', 'limit', ['find'], {
    ...{ type: 'number', default: 50, typeOptions: { minValue: 1 }, when: { returnAll: [false] } },
    description: 'Max number of results to return',
  }),
  field('Filters', 'filters', ['find'], {
    ...{ type: 'collection', placeholder: 'Add Filter', default: {} },
    options: [
      option('Kind', 'kind', { type: 'options', options: choices('image', 'video', 'vector', 'model3d', 'mask') }),
      option('Model', 'model'),
      option('Origin', 'origin', { type: 'options', options: choices('output', 'upload', 'import') }),
      option('Rating at Least', 'rating', { type: 'number', default: 4 }),
      option('Sort', 'sort', { type: 'options', options: choices('newest', 'oldest', 'rating', 'relevance') }),
      option('Tag', 'tag'),
    ],
  }),
  field('Files', 'files', ['share'], {
    ...{ default: '={{ $json.file_id }}', required: true },
    description: 'IDs or URLs of files of the workspace, separated by commas, or a list by an expression',
  }),
  field('Name', 'shareName', ['share'], { default: 'Shared from n8n', required: true, description: 'Shown to guests' }),
  field('Options', 'shareOptions', ['share'], {
    ...{ type: 'collection', placeholder: 'Add Option', default: {} },
    options: [
      option('Allow', 'allow', {
        type: 'multiOptions',
        options: choices('download', 'comment', 'decide'),
        default: [],
      }),
      option('Expires At', 'expires_at', { type: 'dateTime' }),
      option('Password', 'password', { typeOptions: { password: true } }),
      option('Watermark', 'watermark'),
    ],
  }),
];

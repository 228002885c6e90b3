import type { INodeProperties } from 'n8n-workflow';

type More = Partial<INodeProperties>;

const choices = (...values: string[]) => values.map((value) => ({ name: value, value }));
const LINK = '<a href="https://docs.n8n.io/code/expressions/">expression</a>';
const LISTED = `Choose from the list, or specify an ID using an ${LINK}.`;
const number = { type: 'number', typeOptions: { minValue: 0 } } as const;
const yes = { type: 'boolean', default: true } as const;
const no = { type: 'boolean', default: false } as const;
const listed = (loadOptionsMethod: string) => ({ type: 'options', typeOptions: { loadOptionsMethod } }) as const;

/** A property; by default a text, and empty. */
function option(displayName: string, name: string, more: More = {}): INodeProperties {
  return { displayName, name, type: 'string', default: '', ...more };
}

/** A property of some operations. */
function field(displayName: string, name: string, operation: string[], more: More & { when?: object } = {}) {
  const { when, ...rest } = more;
  return option(displayName, name, { displayOptions: { show: { operation, ...when } }, ...rest });
}

const MAKES = ['generate', 'collect'];

const OPERATIONS: [name: string, action: string, description: string][] = [
  ['Collect', 'Collect a generation', 'Wait for the outputs of a generation that was started before'],
  ['Find', 'Find files', 'Search the library of the workspace'],
  ['Generate', 'Generate pictures or a video', 'Generate pictures or a video, which costs the credits of the model'],
  ['Share', 'Share files', 'Put files on a new board, and make a link to it for people without an account'],
  ['Upload', 'Upload a file', 'Save a binary field as a file of the workspace'],
];

export const properties: INodeProperties[] = [
  option('Operation', 'operation', {
    ...{ type: 'options', noDataExpression: true, default: 'generate' },
    options: OPERATIONS.map(([name, action, description]) => ({
      name,
      value: name.toLowerCase(),
      action,
      description,
    })),
  }),
  field('Model Name or ID', 'model', ['generate'], { ...listed('getModels'), required: true, description: LISTED }),
  field('Prompt', 'prompt', ['generate'], { typeOptions: { rows: 3 }, description: 'What the picture or video shows' }),
  field('Persona Name or ID', 'personaId', ['generate', 'upload'], {
    ...{ ...listed('getPersonas'), description: `Lends its style, and gets the files. ${LISTED}` },
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
    ...{ ...no, description: 'Whether to return only the cost and the inputs, and to generate and charge nothing' },
  }),
  field('Wait for the End', 'waitForEnd', ['generate'], {
    ...{ ...yes, when: { costOnly: [false] } },
    description: 'Whether to return the outputs. Otherwise only the ID of the generation is returned, for Collect.',
  }),
  field('Generation ID', 'generationId', ['collect'], {
    ...{ ...number, default: '={{ $json.generation_id }}', required: true },
  }),
  field('Wait at Most (Seconds)', 'waitSeconds', MAKES, {
    ...{ ...number, default: 300, description: 'Then the node fails, and the generation goes on' },
  }),
  field('Put Output in Field', 'outputField', MAKES, {
    ...{ default: 'data', description: 'Binary field for each output. Empty for JSON with URLs only.' },
  }),
  field('Input Binary Field', 'binaryField', ['upload'], { default: 'data', required: true }),
  field('Temporary', 'temporary', ['upload'], { ...no, description: 'Whether the file is deleted after 12 hours' }),
  field('Words', 'query', ['find'], { description: 'Of the prompt, name, tags, persona or model, in any order' }),
  field('Return All', 'returnAll', ['find'], { ...no, description: 'Whether to return all results, without a limit' }),
  field('Limit', 'limit', ['find'], {
    ...{ ...number, default: 50, when: { returnAll: [false] }, description: 'Max number of results to return' },
  }),
  field('Filters', 'filters', ['find'], {
    ...{ type: 'collection', placeholder: 'Add Filter', default: {} },
    options: [
      option('Kind', 'kind', { type: 'options', options: choices('image', 'video', 'vector', 'model3d', 'mask') }),
      option('Model', 'model'),
      option('Origin', 'origin', { type: 'options', options: choices('output', 'upload', 'import') }),
      option('Rating at Least', 'rating', { ...number, default: 4 }),
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

/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { prepared, useFile, useService } from '../support/use-service.ts';

const KEY = 'fal-secret-1';
const CATALOGUE = `
models:
  - id: enhance
    title: Enhance
    description: Enlarges a picture.
    kind: image
    provider: fal
    target: fal-ai/secret-upscaler
    inputs: { image: optional, references: optional, max_references: 3 }
    parameters:
      hd: { type: integer, enum: [2, 4], default: 2 }
      duration: { type: number, minimum: 1, maximum: 10, default: 5 }
      area: { type: object, required: [x], properties: { x: { type: integer } } }
    mapping: { picture: ['{image}', '{references}'], scale: '{hd}' }
    cost: { credits: { 2: 0.5, 4: 1.5 }, parameter: hd, per: second }
  - { id: painter, provider: local, target: local-image, cost: 0 }
`;

describe('the models of a catalogue', () => {
  const file = useFile('models.yaml', CATALOGUE);
  const env = { MODELS_FILE: file, FAL_KEY: KEY, FAL_BASE_URL: 'http://127.0.0.1:1' };
  const service = useService(env, { worker: false });
  const user = prepared(() => service.signUp());

  const dryRun = (fields: object) =>
    service.call('POST', '/v2/generate', { token: user.token, json: { model: 'enhance', dry_run: true, ...fields } });

  it('are offered beside the local ones, without key, target or mapping', async () => {
    const { body } = await service.call('GET', '/v2/models', { token: user.token });
    const ids = body.models.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([
      'local-image',
      'local-video',
      'local-style',
      'local-edit',
      'local-mask',
      'enhance',
      'painter',
    ]);
    const { parameters, ...enhance } = body.models[5];
    expect(enhance).toEqual({
      id: 'enhance',
      title: 'Enhance',
      description: 'Enlarges a picture.',
      kind: 'image',
      tasks: [],
      family: null,
      provider: 'fal',
      cost: { 2: 0.5, 4: 1.5 },
      cost_parameter: 'hd',
      cost_per: 'second',
      inputs: {
        image: 'optional',
        style: 'none',
        references: 'optional',
        max_references: 3,
        mask: 'none',
        control: 'none',
        style_weights: 'none',
        pictures: 'none',
        min_pictures: 0,
        max_pictures: 0,
      },
      retires_at: null,
      successor: null,
      aliases: [],
    });
    expect(parameters.properties.hd).toEqual({ type: 'integer', enum: [2, 4], default: 2 });
    expect(JSON.stringify(body)).not.toMatch(/secret|picture"/);
  });

  it('cost credits by the value of a parameter and by the seconds', async () => {
    const fields = { hd: '4', duration: '2.5', area: '{"x":1}' };
    const parameters = { hd: 4, duration: 2.5, area: { x: 1 } };
    expect((await dryRun(fields)).body).toMatchObject({ cost: 4, parameters });
  });

  it('refuse parameters that their JSON Schema refuses, each with its reason', async () => {
    const { status, body } = await dryRun({ hd: 3, area: { x: 'one' } });
    expect([status, body.errors]).toEqual([400, { hd: ['must be one of 2, 4'], area: ['must be integer at x'] }]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AjvParameterCheck } from '#adapters/catalog';
import { PostgresPersonas, PostgresPresets } from '#adapters/postgres';
import { ModelCatalog } from '#catalogue';
import { StoredUrls } from '#files';
import { RecordedAuditLog } from '#testing/audit-log';
import { aModel, aVideoModel } from '#testing/catalogue';
import { ManualClock, refused } from '#testing/kernel';
import { GenerationStage } from '../../../test/support/generation-store.ts';
import { rounds } from '../../../test/support/rounds.ts';
import { MAX_PRESETS } from './domain/preset.ts';
import { Presets, type PresetRequest } from './presets.ts';

let stage: GenerationStage;
let store: PostgresPresets;
let auditLog: RecordedAuditLog;
let presets: Presets;
beforeAll(async () => {
  stage = await GenerationStage.open();
  store = new PostgresPresets(stage.db.database);
});
afterAll(() => stage.close());
beforeEach(async () => {
  await stage.enter();
  auditLog = new RecordedAuditLog();
  presets = new Presets({
    models: new ModelCatalog([aModel({ parameters: { count: COUNT } }), aVideoModel()]),
    parameterCheck: new AjvParameterCheck(),
    presets: store,
    personas: new PostgresPersonas(stage.db.database),
    urls: new StoredUrls('https://x12.test'),
    auditLog,
    unitOfWork: stage.unitOfWork,
    clock: new ManualClock(),
  });
});

const COUNT = { type: 'integer', description: 'Outputs', minimum: 1, maximum: 4, default: 1 } as const;
const NONE = { prompt: null, parameters: {}, personaId: null, styleTransfer: null };
const create = (name: string, request: Partial<PresetRequest> = {}) =>
  presets.create(stage.actor, { ...NONE, name, model: 'test-image', ...request });
const find = (id: number) => store.find(stage.actor.workspaceId, id);

describe('presets', () => {
  it('keep no signature of a picture, which would expire', async () => {
    const styleTransfer = 'https://x12.test/files/token/style.png';
    const id = await create('Oils', { styleTransfer: `${styleTransfer}?expires=5&signature=a` });
    expect(await find(id)).toMatchObject({ styleTransfer });
    const foreign = 'https://else.test/style.png?v=2';
    await presets.update(stage.actor, id, { styleTransfer: foreign });
    expect(await find(id)).toMatchObject({ styleTransfer: foreign });
  });

  it('are saved as they were checked, and changed by single fields', async () => {
    const { personaId } = stage;
    const id = await create(' Owls ', { prompt: 'an {animal}', parameters: { count: '2' }, personaId });
    const saved = { id, name: 'Owls', prompt: 'an {animal}', parameters: { count: 2 }, personaId, hasPersona: true };
    expect(await find(id)).toMatchObject(saved);
    await presets.update(stage.actor, id, { personaId: null, name: 'Birds' });
    expect(await find(id)).toMatchObject({ ...saved, name: 'Birds', personaId: null });
    await presets.update(stage.actor, id, {});
    expect(await find(id)).toMatchObject({ ...saved, name: 'Birds', personaId: null });
  });

  it('are checked in what is saved, against the model and the workspace', async () => {
    const id = await create('Owls', { parameters: { count: 2 } });
    const other = await stage.newWorkspace();
    const personaId = await stage.newPersona(other.workspaceId, other.userId);
    for (const [request, field] of [
      [{ model: 'gone' }, 'model'],
      [{ parameters: { count: 5 } }, 'count'],
      [{ styleTransfer: 'ftp://x' }, 'style_transfer'],
      [{ prompt: Array.from({ length: 33 }, (_, at) => `{a${at}}`).join('') }, 'prompt'],
      [{ name: ' ' }, 'name'],
      [{ model: 'test-video' }, 'parameters'],
    ] as const) {
      expect(Object.keys((await refused(presets.update(stage.actor, id, request))).fields ?? {})).toEqual([field]);
    }
    expect((await refused(presets.update(stage.actor, id, { personaId }))).code).toBe('not_found');
    expect((await refused(create('Other', { personaId }))).code).toBe('not_found');
    expect(await find(id)).toMatchObject({ name: 'Owls', model: 'test-image', parameters: { count: 2 } });
  });

  it('outlive their model and their persona, and can be renamed then', async () => {
    const id = await create('Owls', { personaId: stage.personaId });
    await stage.db.query(`update presets set model = 'gone' where id = $1`, [id]);
    await stage.deletePersona();
    expect(await find(id)).toMatchObject({ hasPersona: false, personaId: stage.personaId });
    await presets.update(stage.actor, id, { name: 'Old owls' });
    expect(await find(id)).toMatchObject({ name: 'Old owls', model: 'gone' });
    expect((await refused(presets.update(stage.actor, id, { parameters: {} }))).code).toBe('validation_failed');
  });

  it('are changed and deleted by their creator, an admin or the owner', async () => {
    const id = await create('Owls');
    const member = { ...stage.actor, userId: stage.actor.userId + 1, role: 'member' } as const;
    for (const work of [presets.update(member, id, { name: 'Mine' }), presets.delete(member, id)]) {
      expect((await refused(work)).code).toBe('forbidden');
    }
    await presets.update({ ...stage.actor, role: 'member' }, id, { name: 'Birds' });
    await presets.update({ ...member, role: 'admin' }, id, { name: 'Cats' });
    await presets.delete({ ...stage.actor, role: 'member' }, id);
    expect(await find(id)).toBeNull();
    expect(auditLog.entries).toMatchObject([{ action: 'preset.delete', target: id }]);
  });

  it('are not found in another workspace', async () => {
    const id = await create('Owls');
    await stage.enter();
    expect(await find(id)).toBeNull();
    expect((await refused(presets.update(stage.actor, id, { name: 'Mine' }))).code).toBe('not_found');
    expect((await refused(presets.delete(stage.actor, id))).code).toBe('not_found');
    await create('Owls');
    const { items } = await store.list(stage.actor.workspaceId, { limit: 50, after: null });
    expect(items.map(({ name }) => name)).toEqual(['Owls']);
  });

  it('of one name are saved once, and never more than 200, however many are saved at a time', async () => {
    for (let round = 0; round < rounds(); round++) {
      await stage.enter();
      const { workspaceId, userId } = stage.actor;
      await stage.db.query(
        `insert into presets (workspace_id, created_by, name, model, parameters, created_at, updated_at)
         select $1, $2, 'Preset ' || n, 'm', '{}', now(), now() from generate_series(1, $3::integer) n`,
        [workspaceId, userId, MAX_PRESETS - 2],
      );
      const named = await Promise.allSettled(Array.from({ length: 4 }, () => create('Owls')));
      expect(named.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const last = await Promise.allSettled(Array.from({ length: 4 }, (_, at) => create(`Last ${at}`)));
      expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const each of [...named, ...last]) {
        if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'conflict' });
      }
      const { items } = await store.list(workspaceId, { limit: null, after: null });
      expect(items).toHaveLength(MAX_PRESETS);
    }
  });
});

describe('a call with a preset', () => {
  const call = (presetId: number, sent: Parameters<GenerationStage['request']>[0] = {}) =>
    stage.request({ presetId, model: '', personaId: null, dryRun: true, ...sent });

  it('is a call with its settings, with the variables of its prompt', async () => {
    const other = await stage.newPersona();
    const id = await create('Owls', { prompt: 'an {animal}', parameters: { count: 2 }, personaId: other });
    const accepted = await call(id, { variables: { animal: 'owl' }, dryRun: false });
    expect(accepted).toMatchObject({ model: 'test-image', prompt: 'an owl', parameters: { count: 2 }, cost: 8 });
    expect((await stage.view(accepted.id!)).request).toMatchObject({ prompt: 'an owl', personaId: other });
    expect((await call(id, { prompt: 'a {cat}', fields: { prompt: 'a {cat}' } })).prompt).toBe('a {cat}');
    expect((await call(id, { prompt: 'a {x}', fields: { prompt: '' }, variables: { x: 'cat' } })).prompt).toBe('a cat');
  });

  it('needs the variables of its prompt', async () => {
    const id = await create('Owls', { prompt: 'an {animal}' });
    expect((await refused(call(id))).fields).toEqual({ 'variables.animal': ['is required: the prompt has {animal}'] });
  });

  it('needs a preset of the workspace', async () => {
    const id = await create('Owls');
    await stage.enter();
    expect((await refused(call(id))).message).toBe('no such preset');
  });

  it('names what is gone, and works with another model and persona', async () => {
    const id = await create('Owls', { personaId: stage.personaId, parameters: { count: 2 } });
    await stage.deletePersona();
    const persona = await refused(call(id));
    expect(persona.fields?.['preset_id']?.[0]).toMatch(/persona that was deleted/);
    const personaId = await stage.newPersona();
    const pid = { personaId, fields: { pid: personaId } };
    expect(await call(id, pid)).toMatchObject({ personaId, parameters: { count: 2 } });
    expect(await call(id, { fields: { pid: null } })).toMatchObject({ personaId: null });
    await stage.db.query(`update presets set model = 'gone' where id = $1`, [id]);
    expect((await refused(call(id, pid))).fields?.['preset_id']?.[0]).toMatch(/the model gone, which is gone/);
    expect(await call(id, { ...pid, model: 'test-image' })).toMatchObject({ parameters: { count: 1 } });
  });

  it('is checked against the model as it is now', async () => {
    const id = await create('Owls', { parameters: { count: 2 } });
    await stage.db.query(`update presets set parameters = '{"count": 600000}' where id = $1`, [id]);
    expect(Object.keys((await refused(call(id))).fields!)).toEqual(['count']);
  });

  it('without a preset takes braces as text, unless it sends variables', async () => {
    expect((await stage.request({ prompt: 'a {x}', dryRun: true })).prompt).toBe('a {x}');
    expect((await stage.request({ prompt: 'a {x}', variables: { x: 'cat' }, dryRun: true })).prompt).toBe('a cat');
    expect(Object.keys((await refused(stage.request({ prompt: 'a {x}', variables: {} }))).fields!)).toEqual([
      'variables.x',
    ]);
  });
});

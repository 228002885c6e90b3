/** @tier test */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresGenerations, ProviderKeys } from '#adapters/postgres';
import { resolveModel } from '#catalogue';
import type { Sealed } from '#kernel';
import { aModel } from '#testing/catalogue';
import { aGenerationRequest } from '#testing/generation';
import { createDatabase, newWorkspace, type TestDatabase } from '../support/database.ts';
import { aProviderChange, anEntry, CatalogueStage } from '../support/live-catalogue.ts';
import { itInRounds, rounds } from '../support/rounds.ts';

const painter = aModel({ id: 'local-image', target: 'local-image', provider: 'local' });
const offered = { entry: anEntry, isOffered: true, revision: null };

const STUDIO = { type: 'comfyui', baseUrl: 'http://10.0.0.7:8188', key: null };

let db: TestDatabase;
let stage: CatalogueStage;
beforeEach(async () => {
  db = await createDatabase();
  stage = new CatalogueStage(db, { providers: [], models: [painter] });
  await stage.changes.saveProvider('vendor', aProviderChange);
});
afterEach(() => db.drop());

const modelNamed = (name: string) => resolveModel(name, stage.live, stage.clock.now()).entry;

/** A ComfyUI without a key, beside the vendor. */
const addStudio = () => stage.changes.saveProvider('studio', { ...aProviderChange, ...STUDIO });

it('an added entry with a name of the file cannot be used, and harms no other entry', async () => {
  await stage.changes.saveModel('fluw', { ...offered, entry: { ...anEntry, aliases: ['its-name'] } });
  await stage.changes.saveModel('painter', offered);
  const named = new CatalogueStage(db, { providers: [], models: [{ ...painter, aliases: ['painter', 'its-name'] }] });
  named.secretKey = stage.secretKey;
  await named.live.refresh();
  expect(named.live.models.map(({ added, problems }) => [added.id, problems])).toEqual([
    ['fluw', { 'aliases.0': ['is also an alias of local-image'] }],
    ['painter', { id: ['is also an alias of local-image'] }],
  ]);
  expect(resolveModel('painter', named.live, stage.clock.now()).entry?.id).toBe('local-image');
  expect(await named.live.acceptedAs({ model: 'fluw', modelRevision: 1 })).toMatchObject({ id: 'fluw' });
});

describe('operators add entries that every program follows', () => {
  it('offers an added model of an added provider after a refresh, with the key opened', async () => {
    await stage.changes.saveModel('fluw', offered);
    expect(modelNamed('fluw')).toBeNull();
    await stage.live.refresh();
    expect(modelNamed('fluw')).toMatchObject({ id: 'fluw', revision: 1, provider: 'vendor', kind: 'image' });
    expect(stage.opened).toEqual(['vendor with r8_4f9a2c7d1e8b3a6f']);
  });

  it('keeps a provider open, with its limits and its circuit, while other entries change', async () => {
    await stage.live.refresh();
    const open = stage.remotes.get('vendor');
    await stage.changes.saveModel('fluw', offered);
    await stage.live.refresh();
    expect(stage.remotes.get('vendor')).toBe(open);
  });

  it('opens a provider again with a new key, and closes it when it is deleted', async () => {
    await stage.live.refresh();
    await stage.changes.saveProvider('vendor', { ...aProviderChange, key: 'another-key-of-it', revision: 1 });
    await stage.live.refresh();
    expect(stage.opened.at(-1)).toBe('vendor with another-key-of-it');
    await stage.changes.deleteProvider('vendor', 2);
    await stage.live.refresh();
    expect([...stage.remotes.keys()]).toEqual([]);
  });

  it('does not offer a model that is switched off', async () => {
    await stage.changes.saveModel('fluw', { ...offered, isOffered: false });
    await stage.live.refresh();
    expect(stage.live.all).toEqual([painter]);
    expect(stage.live.models).toMatchObject([{ added: { id: 'fluw', isOffered: false }, problems: {} }]);
  });

  it('records every change in the audit log of the service, without the key', async () => {
    await stage.changes.saveModel('fluw', offered);
    await stage.changes.deleteModel('fluw', 1);
    await stage.changes.deleteProvider('vendor', 1);
    const { entries } = stage.auditLog;
    expect(entries.map(({ action, workspaceId }) => [action, workspaceId])).toEqual([
      ['provider.save', null],
      ['model.save', null],
      ['model.delete', null],
      ['provider.delete', null],
    ]);
    expect(JSON.stringify(entries)).not.toContain('8b3a6f');
  });
});

describe('an entry that cannot be used harms no other entry', () => {
  it.each([
    ['the type', { type: 'midjourney' }, 'type'],
    ['the URL', { baseUrl: 'ftp://vendor.example' }, 'base_url'],
    ['the limit', { maxConcurrent: 1001 }, 'max_concurrent'],
    ['neither a key nor a URL', { key: null }, 'key'],
  ])('refuses a provider for %s', async (_, change, field) => {
    await expect(stage.changes.saveProvider('studio', { ...aProviderChange, ...change })).rejects.toMatchObject({
      code: 'validation_failed',
      fields: { [field]: [expect.any(String)] },
    });
  });

  it('takes a ComfyUI workflow in the entry, and requires it there', async () => {
    await addStudio();
    const entry = { ...anEntry, provider: 'studio', target: 'text', mapping: { '6.inputs.text': '{prompt}' } };
    await expect(stage.changes.saveModel('flow', { ...offered, entry })).rejects.toMatchObject({
      fields: { workflow: ['is missing'] },
    });
    const workflow = { '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a fox' } } };
    await stage.changes.saveModel('flow', { ...offered, entry: { ...entry, workflow } });
    await stage.live.refresh();
    expect(modelNamed('flow')!.workflow).toEqual(workflow);
  });

  it('refuses an entry of more than 500,000 bytes', async () => {
    const entry = { ...anEntry, mapping: { prompt: 'x'.repeat(500_000) } };
    await expect(stage.changes.saveModel('fluw', { ...offered, entry })).rejects.toThrow(
      'must be at most 500000 bytes',
    );
  });

  it('refuses an entry of more than 300 parameters before they are compiled, which may take a minute', async () => {
    const withParameters = (count: number) => {
      const names = Array.from({ length: count }, (_, index) => `p${index}`);
      const parameters = Object.fromEntries(names.map((name) => [name, { type: 'string', pattern: '^(a+)+$' }]));
      const mapping = Object.fromEntries(names.map((name) => [name, `{${name}}`]));
      return stage.changes.checkModel('large', { ...anEntry, parameters, mapping });
    };
    const before = process.threadCpuUsage();
    await expect(withParameters(5_000)).rejects.toMatchObject({ fields: { parameters: ['must be at most 300'] } });
    const { user, system } = process.threadCpuUsage(before);
    expect(user + system).toBeLessThan(1_000_000);
    await expect(withParameters(301)).rejects.toMatchObject({ code: 'validation_failed' });
    expect(Object.keys((await withParameters(300)).parameters)).toHaveLength(300);
  });

  it('refuses names that would reach into prototypes', async () => {
    const parsed = (text: string) => JSON.parse(text) as Record<string, never>;
    const parameters = parsed('{"__proto__": {"type": "string"}}');
    const mapping = parsed('{"__proto__.polluted": "{prompt}"}');
    for (const wrong of [
      { ...anEntry, parameters },
      { ...anEntry, mapping },
    ]) {
      const checked = stage.changes.checkModel('a', wrong);
      await expect(checked).rejects.toMatchObject({ code: 'validation_failed' });
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('refuses the ids of the file', async () => {
    await expect(stage.changes.saveModel('local-image', offered)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('goes on with all other entries when the key of the installation is lost, and says so', async () => {
    await addStudio();
    stage.secretKey = null;
    await stage.live.refresh();
    expect([...stage.remotes.keys()]).toEqual(['studio']);
    expect(stage.live.all).toEqual([painter]);
    expect(stage.live.providers.find(({ added }) => added.id === 'vendor')!.problem).toContain('SECRET_KEY');
  });

  it('lists a model whose entry is no longer valid, and does not offer it', async () => {
    await stage.changes.saveModel('fluw', offered);
    await db.query(`update catalogue_models set entry = entry || '{"kind": "sound"}'`);
    await stage.live.refresh();
    expect(stage.live.all).toEqual([painter]);
    expect(stage.live.models[0]).toMatchObject({ model: null, problems: { kind: [expect.any(String)] } });
  });
});

describe('a generation keeps the entry that it was accepted with', () => {
  async function accepted(): Promise<void> {
    const place = { ...(await newWorkspace(db.database)), personaId: null };
    await new PostgresGenerations(db.database).add(aGenerationRequest({ ...place, ...first }));
  }
  const first = { model: 'fluw', modelRevision: 1 };

  it('after a change and after the deletion of the model', async () => {
    await stage.changes.saveModel('fluw', offered);
    await stage.changes.saveModel('fluw', { ...offered, entry: { ...anEntry, target: 'owner/next' }, revision: 1 });
    await stage.live.refresh();
    expect(modelNamed('fluw')!.target).toBe('owner/next');
    expect(await stage.live.acceptedAs(first)).toMatchObject({ target: 'owner/name', revision: 1 });
    await stage.changes.deleteModel('fluw', 2);
    await stage.live.refresh();
    expect(await stage.live.acceptedAs(first)).toMatchObject({ target: 'owner/name' });
  });

  it.each([
    ['for a week', 7, false, true],
    ['no longer than a week', 7.01, false, false],
    ['while a generation is open', 30, true, true],
  ])('%s', async (_, days, isOpen, isKept) => {
    await stage.changes.saveModel('fluw', offered);
    if (isOpen) await accepted();
    await stage.changes.saveModel('fluw', { ...offered, revision: 1 });
    stage.clock.advance(days * 86_400);
    await stage.changes.saveModel('other', offered);
    await stage.live.refresh();
    expect((await stage.live.acceptedAs(first)) !== null).toBe(isKept);
  });

  it('and a provider cannot be deleted while a model names it', async () => {
    await stage.changes.saveModel('fluw', offered);
    await expect(stage.changes.deleteProvider('vendor', 1)).rejects.toThrow('used by fluw');
  });

  it('and a provider cannot be deleted while such a generation has not ended', async () => {
    await stage.changes.saveModel('fluw', offered);
    await accepted();
    await stage.changes.deleteModel('fluw', 1);
    await expect(stage.changes.deleteProvider('vendor', 1)).rejects.toThrow(
      '1 generations of the provider have not ended',
    );
    await db.query(`update generations set state = 'failed'`);
    await expect(stage.changes.deleteProvider('vendor', 1)).resolves.toBeUndefined();
  });
});

describe('two operators do not overwrite each other', () => {
  it('of ten changes of one revision at once, one is saved', async () => {
    for (let round = 0; round < rounds(); round++) {
      const id = `model-${round}`;
      await stage.changes.saveModel(id, offered);
      const changes = Array.from({ length: 10 }, () => stage.changes.saveModel(id, { ...offered, revision: 1 }));
      const saved = (await Promise.allSettled(changes)).filter(({ status }) => status === 'fulfilled');
      expect(saved).toHaveLength(1);
    }
  });

  itInRounds('a provider is never deleted under a model that is added at the same time', async (round) => {
    const id = `vendor-${round}`;
    await stage.changes.saveProvider(id, aProviderChange);
    await Promise.allSettled([
      stage.changes.saveModel(id, { ...offered, entry: { ...anEntry, provider: id } }),
      stage.changes.deleteProvider(id, 1),
    ]);
    const { providers, models } = await stage.store.read();
    const isThere = (entries: readonly { readonly id: string }[]) => entries.some((entry) => entry.id === id);
    expect(isThere(providers)).toBe(isThere(models));
  });
});

describe('the rotation of the key of the installation', () => {
  it('replaces a sealed key unless it has changed, and programs read it again', async () => {
    await stage.live.refresh();
    const keys = new ProviderKeys(db.database);
    const [secret] = await keys.list(0, 10);
    expect(secret!.context).toBe('key of provider vendor');
    const before = await stage.store.version();
    expect(await keys.replace({ ...secret!, sealed: 'older' as Sealed }, 'new' as Sealed)).toBe(false);
    expect(await keys.replace(secret!, 'new' as Sealed)).toBe(true);
    expect(await stage.store.version()).toBe(before + 1);
  });
});

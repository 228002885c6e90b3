/** @tier test, 10 s */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NotAccepted, OutcomeUnknown, ProviderFailure } from '#generation';
import { SourceFailure } from '#sources';
import { eventually } from '../support/eventually.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { anEntry } from '../support/live-catalogue.ts';
import { anOutput } from '../support/remote-stage.ts';
import { rounds } from '../support/rounds.ts';
import { PAINTER, TrialStage } from '../support/trial-stage.ts';

let db: TestDatabase;
let stage: TrialStage;
beforeEach(async () => {
  db = await createDatabase();
  stage = await TrialStage.open(db);
});
afterEach(async () => {
  await stage.close();
  await db.drop();
});

const pending = { state: 'pending', progress: null, checkAfterSeconds: null } as const;

describe('an operator tries a model', () => {
  it('has the vendor make one output, which is stored for a day, and reads what the vendor billed', async () => {
    const { id } = await stage.start({ prompt: 'a fox' });
    expect(stage.jobs.announced).toMatchObject([{ name: 'trial.run', payload: { trialId: id }, workspaceId: null }]);
    const trial = await stage.runToEnd(id);
    const facts = { contentType: 'image/png', width: 8, height: 6, duration: null, label: null, score: null };
    const key = expect.stringMatching(/^exports\/trial-[0-9a-f-]{36}$/);
    expect(trial).toMatchObject({ state: 'succeeded', vendorCost: 0.25, credits: 4, model: 'fluw', modelRevision: 1 });
    expect(trial).toMatchObject({ outputs: [{ key, bytes: expect.any(Number), ...facts }] });
    expect(stage.vendor.posts).toBe(1);
    expect(stage.vendor.started[0]!.task).toMatchObject({ prompt: 'a fox', model: { id: 'fluw' } });
    const [discarded, ...others] = await db.query<{ key: string; due_at: Date }>(
      'select key, due_at from discarded_objects',
    );
    expect(others).toEqual([]);
    expect(stage.storage.keys).toEqual([discarded!.key]);
    expect(discarded!.due_at.getTime() - trial.createdAt.getTime()).toBe(86_400_000);
  });

  it('charges no credits, gives no workspace a file, and is in the audit log of the service', async () => {
    const { id } = await stage.tried();
    expect(await db.query('select 1 from credit_entries union all select 1 from files')).toEqual([]);
    const details = { id: 'fluw', revision: 1, saved: true };
    expect(stage.catalogue.auditLog.entries.at(-1)).toMatchObject({
      action: 'model.try',
      target: id,
      details,
      workspaceId: null,
    });
  });

  it('tries an entry before it is saved, and one that callers are not offered', async () => {
    const unsaved = await stage.tried({ entry: { ...anEntry, target: 'owner/other' } }, 'new');
    expect(unsaved).toMatchObject({ state: 'succeeded', model: 'new', modelRevision: null });
    expect(stage.vendor.started[0]!.task.model.target).toBe('owner/other');
    await stage.catalogue.changes.saveModel('fluw', { entry: anEntry, isOffered: false, revision: 1 });
    expect(await stage.tried()).toMatchObject({ state: 'succeeded', modelRevision: 2 });
  });

  it('runs a local model, again if its worker has died', async () => {
    const file = join(stage.folder, 'made.png');
    await writeFile(file, 'picture');
    let runs = 0;
    stage.work = async () => {
      if (runs++ === 0) throw new Error('killed');
      return [{ file, contentType: 'image/png', width: 8, height: 6, duration: null }];
    };
    const { id } = await stage.start({}, PAINTER.id);
    await expect(stage.step(id)).rejects.toThrow('killed');
    expect(await stage.runToEnd(id)).toMatchObject({ state: 'succeeded', vendorCost: 0 });
    expect(stage.vendor.posts).toBe(0);
  });

  it('gives the vendor the pictures of the inputs', async () => {
    const entry = { ...anEntry, inputs: { image: 'required', references: 'optional', max_references: 2 } };
    const mapping = { 'input.prompt': '{prompt}', 'input.image': '{image}', 'input.more': '{references}' };
    const url = 'https://else.test/1.png';
    const data = 'data:image/png;base64,aGVsbG8=';
    await stage.tried({ entry: { ...entry, mapping }, inputs: { image: data, references: [url, url] } }, 'new');
    const { inputs } = stage.vendor.started[0]!.task;
    expect([inputs.image?.contentType, inputs.references.length, inputs.mask]).toEqual(['image/png', 2, null]);
  });
});

describe('a trial is billed once', () => {
  it('of the same request, sent again while the first is under way, and of two at once', async () => {
    for (let round = 1; round <= rounds(); round++) {
      const [one, other] = await Promise.all([stage.start(), stage.start()]);
      expect([round, one.id]).toEqual([round, other.id]);
      expect((await stage.start()).id).toBe(one.id);
      await stage.runToEnd(one.id);
      expect(stage.vendor.posts).toBe(round);
    }
  });

  it('another request of the same model waits for its end', async () => {
    const { id } = await stage.start();
    await expect(stage.start({ prompt: 'a cat' })).rejects.toMatchObject({
      code: 'conflict',
      message: `trial ${id} of the model fluw is under way: wait until it has ended`,
    });
    await stage.runToEnd(id);
    expect((await stage.start({ prompt: 'a cat' })).id).toBeGreaterThan(id);
  });

  it('whose job is delivered twice at once', async () => {
    for (let round = 1; round <= rounds(); round++) {
      const { id } = await stage.start();
      await Promise.all([stage.runToEnd(id), stage.step(id).catch(() => undefined)]);
      // The first of two runs to end leaves the trial to the other.
      await stage.runToEnd(id);
      expect(stage.vendor.posts).toBe(round);
    }
  });

  it('whose worker died after the POST: its outcome is unknown, and nothing is sent again', async () => {
    stage.vendor.onSubmit = () => new Promise(() => undefined);
    const { id } = await stage.start();
    void stage.step(id);
    await eventually(() => stage.vendor.posts === 1);
    stage.vendor.reset();
    const trial = await stage.runToEnd(id);
    expect([trial, stage.vendor.posts]).toMatchObject([
      { state: 'failed', error: { code: 'provider_outcome_unknown' }, startedAt: expect.any(Date) },
      0,
    ]);
  });

  it('that ends while its POST is under way is canceled at the vendor', async () => {
    const { id } = await stage.start();
    stage.vendor.onSubmit = async (_, start) => {
      await stage.runs.fail(id, new Error('given up'));
      return start();
    };
    await stage.step(id);
    expect(stage.vendor.started).toMatchObject([{ isCanceled: true }]);
  });
});

describe('a trial that fails says why, with details that callers do not get', () => {
  const secret = { cause: new Error('moderation: violence') };
  it.each<[what: string, thrown: Error, code: string, message: string]>([
    [
      'a vendor that refuses',
      new ProviderFailure('content_rejected', 'it was rejected', secret),
      'content_rejected',
      'it was rejected (moderation: violence)',
    ],
    [
      'a vendor that is away',
      new ProviderFailure('provider_unavailable', 'the provider is unavailable', { retryable: true }),
      'provider_unavailable',
      'the provider is unavailable',
    ],
    [
      'a vendor that is busy',
      new NotAccepted('provider_busy', 5),
      'provider_busy',
      'the vendor accepts no work now, and has started nothing: try later',
    ],
    [
      'a vendor that does not respond',
      new OutcomeUnknown(),
      'provider_outcome_unknown',
      'it is unknown whether the vendor has made and billed it',
    ],
  ])('for %s, without a second POST', async (_, thrown, code, message) => {
    stage.vendor.onSubmit = () => Promise.reject(thrown);
    expect(await stage.tried()).toMatchObject({ state: 'failed', error: { code, message } });
    expect(stage.vendor.posts).toBe(1);
  });

  it('for a job that the vendor reports as failed, or does not know', async () => {
    const failure = new ProviderFailure('invalid_input', 'the input is invalid', { retryable: true });
    stage.vendor.onCheck = () => ({ state: 'failed', failure });
    expect(await stage.tried()).toMatchObject({ state: 'failed', error: { code: 'invalid_input' } });
    stage.vendor.onCheck = () => ({ state: 'canceled' });
    expect(await stage.tried()).toMatchObject({ state: 'failed', error: { message: 'the vendor has canceled it' } });
    expect(stage.vendor.posts).toBe(2);
  });

  it('for a job that takes longer than the time limit of the model, which is canceled', async () => {
    stage.vendor.onCheck = () => pending;
    const trial = await stage.tried({ entry: { ...anEntry, time_limit: 60 } });
    expect(trial).toMatchObject({ state: 'failed', error: { code: 'timed_out' } });
    expect(stage.vendor.started).toMatchObject([{ isCanceled: true }]);
  });

  it('for an input picture that cannot be fetched, before anything is sent', async () => {
    const url = 'https://else.test/gone.png';
    stage.broken.set(url, new SourceFailure('url_unreachable', { retryable: false }));
    const entry = { ...anEntry, inputs: { image: 'required' }, mapping: { image: '{image}' } };
    const trial = await stage.tried({ entry, inputs: { image: url } });
    const error = { code: 'url_unreachable', message: 'the image could not be fetched' };
    expect([trial, stage.vendor.posts]).toMatchObject([{ state: 'failed', error, startedAt: null }, 0]);
  });

  it('for a provider that was deleted meanwhile', async () => {
    const { id } = await stage.start();
    await stage.catalogue.changes.deleteModel('fluw', 1);
    await stage.catalogue.changes.deleteProvider('vendor', 1);
    expect(await stage.runToEnd(id)).toMatchObject({ state: 'failed' });
    expect(stage.vendor.posts).toBe(0);
  });

  it('but not for checks without a response: the vendor goes on', async () => {
    const away = new ProviderFailure('provider_unavailable', 'no response', { retryable: true });
    let checks = 0;
    stage.vendor.onCheck = () => {
      if (++checks < 4) throw away;
      return checks < 6 ? pending : { state: 'ended', outputs: [anOutput()], cost: null };
    };
    expect(await stage.tried()).toMatchObject({ state: 'succeeded', vendorCost: null });
  });
});

describe('a trial is refused before anything is sent', () => {
  const entry = {
    ...anEntry,
    inputs: { image: 'required', references: 'optional', max_references: 1 },
    mapping: { prompt: '{prompt}', image: '{image}', more: '{references}' },
    parameters: { size: { type: 'integer', maximum: 4 } },
  };
  const image = 'https://else.test/1.png';
  it.each<[what: string, call: object, field: string]>([
    ['without a required picture', { inputs: {} }, 'inputs.image'],
    ['with a picture that the model does not take', { inputs: { image, mask: image } }, 'inputs.mask'],
    ['with too many references', { inputs: { image, references: [image, image] } }, 'inputs.references'],
    ['with a reference that is no list', { inputs: { image, references: image } }, 'inputs.references'],
    ['with an input that does not exist', { inputs: { image, ['__proto__x']: image } }, 'inputs.__proto__x'],
    ['with a file of the server', { inputs: { image: 'file:///etc/passwd' } }, 'inputs.image'],
    ['with a data URL of a page', { inputs: { image: 'data:text/html;base64,aGVsbG8=' } }, 'inputs.image'],
    ['with a URL that is too long', { inputs: { image: `https://else.test/${'a'.repeat(2048)}` } }, 'inputs.image'],
    ['with a parameter out of range', { inputs: { image }, parameters: { size: 5 } }, 'size'],
    [
      'with a parameter that the model does not have',
      { inputs: { image }, parameters: { sise: 1 } },
      'parameters.sise',
    ],
  ])('%s', async (_, call, field) => {
    const error = await stage.start({ entry, ...call }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'validation_failed', fields: { [field]: [expect.any(String)] } });
    expect(await db.query('select 1 from trials')).toEqual([]);
  });

  it('of a model that trains styles, or needs one', async () => {
    const styles = { inputs: { style_weights: 'required' }, family: 'flux' };
    const mapping = { prompt: '{prompt}', loras: '{style_weights}' };
    const trainer = {
      kind: 'style',
      family: 'flux',
      inputs: { pictures: 'required' },
      result: { weights: 'file.url' },
    };
    for (const change of [
      { ...styles, mapping },
      { ...trainer, mapping: { images: '{pictures}', word: '{trigger}' } },
    ]) {
      const error = await stage.start({ entry: { ...anEntry, ...change } }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'validation_failed', fields: { model: [expect.stringMatching('persona')] } });
    }
  });

  it('of a model that does not exist, and of an entry that is not valid', async () => {
    await expect(stage.start({}, 'nothing')).rejects.toMatchObject({ code: 'not_found' });
    await expect(stage.start({ entry: { ...anEntry, cost: -1 } })).rejects.toMatchObject({ code: 'validation_failed' });
  });
});

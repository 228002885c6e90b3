/** @tier deep, 50 s, about libs/generation libs/adapters/queue libs/adapters/postgres/src/generation */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PostgresAudit } from '#adapters/postgres';
import type { Model } from '#catalogue';
import type { VendorOutput } from '#generation';
import { aTrainer, modelInputs } from '#testing/catalogue';
import { anOutput, Life, REMOTE_MODEL, RemoteStage, ScriptedVendor } from '../support/remote-stage.ts';

/** A vendor's knowledge of POSTs without a response: all, those it has started to run, or none. */
type Tells = 'all' | 'started' | 'nothing';

/** Makes an output of its own for each job. */
class Vendor extends ScriptedVendor {
  constructor(
    readonly tells: Tells,
    /** True if its responses have the outputs: such a job has ended before anybody can cancel it. */
    readonly isSynchronous = false,
  ) {
    super();
    const { onFind } = this;
    this.onFind = (task, since) => {
      // A started job is known by its word or its seed, which is no proof when the caller chose it.
      const isKnown = tells === 'all' || task.isIdentifiedBySeed || task.trigger !== null;
      if (tells === 'nothing' || !isKnown) return 'unknown';
      const found = onFind(task, since);
      return found === 'absent' && tells === 'started' ? 'unknown' : found;
    };
    if (!isSynchronous) return;
    this.onSubmit = async ({ requestKey, folder }, start) => {
      start();
      const file = join(folder, requestKey);
      await writeFile(file, bytesOf(requestKey));
      return { outputs: [{ file, label: null, score: null }], cost: null };
    };
  }

  /** Jobs from now on. */
  plan(behaviour: 'works' | 'never_ends'): void {
    this.onCheck = ({ id }) =>
      behaviour === 'works'
        ? { state: 'ended', outputs: [anOutput(String(id))], cost: null }
        : { state: 'pending', progress: 0.5, checkAfterSeconds: null };
  }

  override async fetchOutput({ url }: VendorOutput, target: string): Promise<void> {
    await writeFile(target, bytesOf(url));
  }
}

/** A style file too; other outputs are not looked at. */
const bytesOf = (requestKey: string) => JSON.stringify({ reference: requestKey });

const VENDORS: Record<string, () => Vendor> = {
  'a vendor that can tell': () => new Vendor('all'),
  'a vendor that can tell of what it has started': () => new Vendor('started'),
  'a vendor that cannot tell': () => new Vendor('nothing'),
  'a vendor that responds with the outputs': () => new Vendor('nothing', true),
};
const MODEL = { ...REMOTE_MODEL, inputs: modelInputs({ image: 'optional' }) };
const TRAINER = aTrainer({ result: { reference: 'style' } });

/** Accepts a generation and works on it until the life ends; returns the id of the generation. */
type Work = (life: Life) => Promise<number>;
type ExpectEnd = (id: number, where: string, before: { posts: number; started: number }) => Promise<void>;

describe.each(Object.entries(VENDORS))('with %s, whenever a worker dies', (_, start) => {
  const vendor = start();
  let stage: RemoteStage;
  const on = (model: Model) => {
    beforeAll(async () => {
      stage = await RemoteStage.open(vendor, model);
      await stage.generations.enter();
    });
    afterAll(() => stage.close());
    afterEach(async () => {
      const findings = await new PostgresAudit(stage.generations.db.database).findings();
      // Files that a dead worker has stored for nothing are deleted by a sweep.
      expect(findings.filter(({ rule }) => rule !== 'output file without a generation')).toEqual([]);
    });
  };

  /** Kills a worker after each number of calls, until it survives `work`, and lets another one go on. */
  async function dieEverywhere(work: Work, expectEnd: ExpectEnd): Promise<string[]> {
    const deaths: string[] = [];
    for (let calls = 0; calls < 200; calls++) {
      const before = { posts: vendor.posts, started: vendor.started.length };
      const life = new Life(calls);
      const id = await work(life);
      const { end } = life;
      await stage.runToEnd(id);
      await expectEnd(id, `died ${end ?? 'nowhere'}`, before);
      if (end === null) return deaths;
      deaths.push(end);
    }
    throw new Error('it never ends');
  }

  const outputOf = async (id: number) => {
    const { generations } = stage;
    const [output] = (await generations.view(id)).outputs;
    return output && String(await generations.files.read(output.key, 1e6));
  };
  /** Expects that it was paid and made once, or failed, free of charge, as nobody can tell. */
  async function expectOnceOrUnknown(id: number, where: string, started: number): Promise<boolean> {
    const { state, error } = await stage.generations.view(id);
    expect([where, (await stage.submissionOf(id))?.state]).toEqual([where, 'closed']);
    if (state === 'succeeded') {
      expect([where, vendor.started.length - started]).toEqual([where, 1]);
      expect([where, await stage.ledgerOf(id)]).toEqual([where, ['reserve', 'settle']]);
      return true;
    }
    expect([where, error?.code]).toEqual([where, 'provider_outcome_unknown']);
    expect([where, vendor.tells]).not.toEqual([where, 'all']);
    if (vendor.tells === 'started') expect([where, vendor.started.length]).toEqual([where, started]);
    expect([where, await stage.ledgerOf(id)]).toEqual([where, ['reserve', 'release']]);
    return false;
  }
  /** Accepts one, and cancels it once it is pending; the caller who gets no response cancels again. */
  const canceling = (accept: () => Promise<number>) => async (life: Life) => {
    const id = await accept();
    if (!vendor.isSynchronous) for (let steps = 0; steps < 2; steps++) await stage.step(id);
    const { actor, generations } = stage.generations;
    const canceled = stage.program(life).generations.cancel(actor, id);
    await canceled.catch(() => undefined);
    if (life.end === null) await stage.runToEnd(id, life);
    await generations.cancel(actor, id);
    return id;
  };
  const expectCanceled: ExpectEnd = async (id, where, { posts, started }) => {
    expect([where, (await stage.generations.view(id)).state]).toEqual([where, 'canceled']);
    expect([where, await stage.ledgerOf(id)]).toEqual([where, ['reserve', 'release']]);
    expect([where, vendor.posts - posts]).toEqual([where, vendor.isSynchronous ? 0 : 1]);
    expectCanceledThere(where, started);
  };
  const expectCanceledThere = (where: string, started: number) => {
    const theirs = vendor.started.slice(started);
    expect([where, theirs.map(({ isCanceled }) => isCanceled)]).toEqual([where, theirs.map(() => true)]);
  };

  describe('a generation', () => {
    on(MODEL);

    it('is submitted once, stored once and charged once, or known to be unknown', async () => {
      vendor.plan('works');
      const deaths = await dieEverywhere(
        async (life) => {
          const id = await stage.accepted({ prompt: 'a fox' });
          await stage.runToEnd(id, life);
          return id;
        },
        async (id, where, { posts, started }) => {
          expect([where, vendor.posts - posts <= 1]).toEqual([where, true]);
          if (!(await expectOnceOrUnknown(id, where, started))) return;
          expect([where, await outputOf(id)]).toEqual([where, bytesOf(vendor.started.at(-1)!.key)]);
        },
      );
      expect(deaths).toEqual(
        expect.arrayContaining([
          'before provider.submit',
          'after provider.submit',
          'before the commit of transaction',
          'after transaction.run',
        ]),
      );
    });

    it('of each of two workspaces that ask for the same with a seed of theirs is made and paid apart', async () => {
      vendor.plan('works');
      const call = { prompt: '', image: 'https://pictures.example/room.png', fields: { seed: 42 } };
      const { generations } = stage;
      const ours = generations.place;
      await generations.enter();
      const theirs = generations.place;
      let theirId = 0;
      const expectMade = async (where: string, id: number, submission: number) => {
        expect([where, await outputOf(id)]).toEqual([where, bytesOf(vendor.started[submission]!.key)]);
        expect([where, await stage.ledgerOf(id)]).toEqual([where, ['reserve', 'settle']]);
      };
      await dieEverywhere(
        async (life) => {
          generations.goTo(theirs);
          theirId = await stage.accepted(call);
          await stage.step(theirId);
          generations.goTo(ours);
          const id = await stage.accepted(call);
          await stage.runToEnd(id, life);
          return id;
        },
        async (id, where, { posts, started }) => {
          const { state, error } = await generations.view(id);
          expect([where, vendor.posts - posts <= 2]).toEqual([where, true]);
          if (state === 'succeeded') {
            expect([where, vendor.started.length - started]).toEqual([where, 2]);
            await expectMade(where, id, started + 1);
          } else {
            expect([where, error?.code]).toEqual([where, 'provider_outcome_unknown']);
            expect([where, vendor.tells]).not.toEqual([where, 'all']);
            expect([where, await stage.ledgerOf(id)]).toEqual([where, ['reserve', 'release']]);
          }
          generations.goTo(theirs);
          await stage.runToEnd(theirId);
          await expectMade(where, theirId, started);
          generations.goTo(ours);
        },
      );
    });

    it('that is canceled is canceled at the vendor, and nothing is charged', async () => {
      vendor.plan('never_ends');
      await dieEverywhere(
        canceling(() => stage.accepted({ prompt: 'a fox' })),
        expectCanceled,
      );
    });

    it('that is canceled then is canceled at the vendor, wherever the worker was', async () => {
      vendor.plan('never_ends');
      await dieEverywhere(
        async (life) => {
          const id = await stage.accepted({ prompt: 'a fox' });
          for (let steps = 0; steps < 3 && life.end === null; steps++) await stage.step(id, life);
          await stage.generations.generations.cancel(stage.generations.actor, id).catch(() => undefined);
          return id;
        },
        async (id, where, { posts, started }) => {
          const ends = vendor.isSynchronous ? ['canceled', 'succeeded'] : ['canceled'];
          expect([where, ends]).toEqual([where, expect.arrayContaining([(await stage.generations.view(id)).state])]);
          expect([where, vendor.posts - posts <= 1]).toEqual([where, true]);
          if (vendor.tells === 'all') expectCanceledThere(where, started);
        },
      );
    });
  });

  describe('a training', () => {
    on(TRAINER);
    beforeAll(async () => {
      for (const slot of [1, 2, 3]) await stage.generations.fill(slot, await stage.generations.newFile());
    });

    async function train(): Promise<number> {
      const { actor, personaId, styles } = stage.generations;
      const call = { personaId, model: TRAINER.id, name: null, pictures: null, webhook: null };
      return (await styles.train(actor, { ...call, fields: {}, dryRun: false })).accepted.id!;
    }

    it('is submitted, stored privately and charged once, or known to be unknown', async () => {
      vendor.plan('works');
      const deaths = await dieEverywhere(
        async (life) => {
          const id = await train();
          await stage.runToEnd(id, life);
          return id;
        },
        async (id, where, { posts, started }) => {
          expect([where, vendor.posts - posts <= 1]).toEqual([where, true]);
          const hasSucceeded = await expectOnceOrUnknown(id, where, started);
          const { db, files } = stage.generations;
          const file = await db.one<{ key: string }>(
            `select file.key from generations generation join styles style on style.id = generation.style_id
             join files file on file.id = style.file_id where generation.id = $1`,
            [id],
          );
          expect([where, file?.key.startsWith('weights/') ?? false]).toEqual([where, hasSucceeded]);
          if (!file) return;
          const bytes = String(await files.read(file.key, 1e6));
          expect([where, bytes]).toEqual([where, bytesOf(vendor.started.at(-1)!.key)]);
        },
      );
      expect(deaths).toEqual(expect.arrayContaining(['before provider.submit', 'after provider.submit']));
    });

    it('that is canceled is canceled at the vendor, and nothing is charged', async () => {
      vendor.plan('never_ends');
      await dieEverywhere(canceling(train), expectCanceled);
    });
  });
});

import { Life, type RemoteStage } from './remote-stage.ts';

/** At most: take what is due, ask the vendor, record its responses, and announce the job that goes on. */
const CALLS_OF_A_CHECK = 6;

/** Accepts a generation and works on it until the life ends; returns the id of the generation. */
export type Work = (life: Life) => Promise<number>;
export type ExpectEnd = (id: number, where: string, before: { posts: number; started: number }) => Promise<void>;

/** Kills a worker after each number of calls, until it survives `work`, and lets another one go on. */
export async function dieEverywhere(
  stage: RemoteStage,
  fake: { readonly posts: number; readonly submissions: readonly unknown[] },
  work: Work,
  expectEnd: ExpectEnd,
): Promise<string[]> {
  const deaths: string[] = [];
  let survivals = 0;
  for (let calls = 0; calls < 200; calls++) {
    const before = { posts: fake.posts, started: fake.submissions.length };
    const life = new Life(calls);
    const id = await work(life);
    const { end } = life;
    await stage.settle(id);
    await expectEnd(id, `died ${end ?? 'nowhere'}`, before);
    // A vendor that was a little slower is asked more often: another worker may die later than one that has survived.
    survivals = end === null ? survivals + 1 : 0;
    if (survivals > CALLS_OF_A_CHECK) return deaths;
    if (end !== null) deaths.push(end);
  }
  throw new Error('it never ends');
}

/** @tier deep, 30 s, about apps/console */
import { expect, it } from '@jest/globals';
import { teamOf } from '../support/team-of.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { expectAccessible, expectPresentable } from './support/looks.ts';
import { generate as endOf } from './support/generations.ts';

describeConsole('the home screen', (stage) => {
  async function generate(token: string, fields: object): Promise<number> {
    const json = { model: 'local-image', width: 128, height: 128, ...fields };
    const { status, body } = await stage.service.call('POST', '/v2/generate', { token, json });
    if (status !== 202) throw new Error(JSON.stringify(body));
    return body.generation_id;
  }

  it('of a new workspace says how to begin', async () => {
    const page = await stage.open('/', { as: await stage.service.signUp() });
    await page.getByText('Nothing runs at the moment.').waitFor();
    await page.getByRole('link', { name: 'Give a persona its look' }).waitFor();
    await page.getByText('of 100 this month').waitFor();
    await expectPresentable(page, 'home-new');
  });

  itOnEach('shows what runs until it is there, and why something failed, on a %s', async (width) => {
    const user = await stage.service.signUp();
    await stage.service.stopWorker();
    await generate(user.token, { prompt: 'a lighthouse at night' });
    await generate(user.token, { prompt: 'سفينة قديمة', image: 'http://10.0.0.1/private.png' });
    const page = await stage.open('/', { as: user, width });
    const running = page.getByRole('region', { name: 'Running now' });
    await running.getByText('a lighthouse at night').waitFor();
    await stage.service.startWorker();
    await page
      .getByRole('region', { name: 'Made last' })
      .getByRole('link', { name: 'a lighthouse at night' })
      .waitFor();
    const failures = page.getByRole('region', { name: 'Needs your attention' });
    await failures
      .getByText('The image is at an address that is not allowed')
      .or(failures.getByText(/not allowed/))
      .waitFor();
    await failures.getByText('Choose a picture at a public address, or upload it.').waitFor();
    await running.getByText('Nothing runs at the moment.').waitFor();
    await page.getByText('96', { exact: true }).first().waitFor();
    await expectPresentable(page, 'home', [width]);
  });

  it('shows no failures of other people', async () => {
    const team = await teamOf(stage.service);
    const [owner, member] = [team.owner, await team.member()];
    const fails = { prompt: 'a private address', image: 'http://10.0.0.1/private.png' };
    await endOf(stage.service, owner, fails);
    const theirs = await stage.open('/', { as: owner });
    await theirs.getByRole('region', { name: 'Needs your attention' }).getByText('a private address').waitFor();
    const page = await stage.open('/', { as: member });
    await page.getByText('Nothing runs at the moment.').waitFor();
    await page.getByText('Generate something').waitFor();
    expect(await page.getByText('a private address').count()).toBe(0);
  });

  it('cancels running generations, and returns their credits', async () => {
    const user = await stage.service.signUp();
    await stage.service.stopWorker();
    await generate(user.token, { prompt: 'never to be' });
    const page = await stage.open('/', { as: user });
    await page.getByText('96', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Cancel “never to be”' }).click();
    await page.getByText('Nothing runs at the moment.').waitFor();
    await page.getByText('100', { exact: true }).first().waitFor();
  });

  it('shows names of any length and direction without growing wider', async () => {
    const user = await stage.service.signUp();
    await stage.service.stopWorker();
    for (const prompt of ['W'.repeat(255), 'ש'.repeat(255)]) await generate(user.token, { prompt });
    const page = await stage.open('/', { as: user });
    await page.getByText('W'.repeat(255)).first().waitFor();
    await expectAccessible(page);
  });

  it('explains why a part cannot be loaded, and loads it on retry', async () => {
    const user = await stage.service.signUp();
    const page = await stage.open('/team', { as: user });
    await page.route('**/v2/generations?*', (route) =>
      route.fulfill({
        status: 500,
        json: { status: false, code: 'internal_error', message: 'something went wrong on our side', request_id: 'r-1' },
      }),
    );
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('something went wrong on our side').waitFor();
    expect(await alert.innerText()).toContain('r-1');
    await page.unroute('**/v2/generations?*');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Nothing runs at the moment.').waitFor();
  });
});

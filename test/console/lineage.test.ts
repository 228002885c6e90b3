/** @tier test, 12 s */
import { expect } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import type { TestUser } from '../support/service.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { expectPresentable } from './support/looks.ts';
import { generate } from './support/generations.ts';

describeConsole('the lineage of a picture', (stage) => {
  const newest = async ({ token }: TestUser) =>
    (await stage.service.call('GET', '/v2/generations', { token })).body.generations[0];

  itOnEach('shows beside it where it came from and what came of it, with what each cost, on a %s', async (width) => {
    const user = await stage.service.signUp();
    const size = { width: 256, height: 192 };
    const first = await generate(stage.service, user, { prompt: 'a fox', count: 2, ...size });
    const [, second] = first.outputs;
    const from = { image: second.url, parent: `${first.id}.${second.index}` };
    const middle = await generate(stage.service, user, { prompt: 'a red fox', ...from, ...size });
    const goOn = { image: middle.outputs[0].url, parent: `${middle.id}.0`, ...size };
    const last = [];
    for (const prompt of ['a fox at dusk', 'a fox in snow']) {
      last.push(await generate(stage.service, user, { prompt, ...goOn }));
    }

    const page = await stage.open(`/generate?generation=${middle.id}`, { as: user, width });
    if (width === 'phone') await page.getByRole('button', { name: 'Details' }).click();
    const lineage = page.getByRole('group', { name: 'Lineage' });
    const links = lineage.getByRole('link');
    await links.nth(2).waitFor();
    const names = await links.evaluateAll((all) => all.map((each) => (each as { textContent: string }).textContent));
    expect(names).toEqual([
      expect.stringMatching(new RegExp(`^Came from generation ${first.id}, Painter: a fox, *8 credits$`)),
      expect.stringMatching(new RegExp(`^Became generation ${last[0].id}, Painter: a fox at dusk, *4 credits$`)),
      expect.stringMatching(new RegExp(`^Became generation ${last[1].id}, Painter: a fox in snow, *4 credits$`)),
    ]);
    await lineage.getByText('In all 20 credits').waitFor();
    const source = await lineage.locator('img').first().getAttribute('src');
    expect(second.thumbnails.map(({ url }: { url: string }) => url)).toContain(source);
    await page.mouse.move(0, 0);
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
    await expectPresentable(page, 'lineage', [width]);

    await links.first().press('Enter');
    await lineage.getByText(/Came from/).waitFor({ state: 'detached' });
    await eventually(async () => (await links.count()) === 3);
  });

  itOnEach('appears on the stage once something goes on from a picture, on a %s', async (width) => {
    const user = await stage.service.signUp();
    const made = await generate(stage.service, user, { prompt: 'an owl', width: 256, height: 192 });
    const page = await stage.open('/generate', { as: user, width });
    await page.getByRole('option', { name: 'an owl' }).click();
    const viewer = page.getByRole('dialog', { name: 'Viewer' });
    if (width === 'phone') await viewer.getByRole('button', { name: 'Details' }).click();
    await viewer.getByText('Painter').first().waitFor();
    const lineage = page.getByRole('group', { name: 'Lineage' });
    expect(await lineage.count()).toBe(0);
    await viewer.getByRole('button', { name: 'Vary 4 credits' }).press('Enter');
    await page.getByText(/Became generation/).waitFor({ state: 'attached' });
    await eventually(async () => (await newest(user)).state === 'succeeded');
    await eventually(async () => (await lineage.locator('img').count()) === 2);
    await page.mouse.move(0, 0);
    await expectPresentable(page, 'lineage-generate', [width]);

    await viewer.getByRole('button', { name: 'Use as image' }).press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(() => !page.url().includes('parent='));
    await page.getByRole('form').getByRole('button', { name: 'Generate' }).click();
    await eventually(async () => (await newest(user)).id > made.id + 1);
    expect((await newest(user)).parent).toEqual({ generation_id: made.id, output: 0 });
  });
});

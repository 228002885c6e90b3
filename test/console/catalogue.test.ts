/** @tier deep, 80 s, about apps/console */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { ROOT } from '../support/processes.ts';
import { startFakeComfyUi } from '../support/vendors/comfyui.ts';
import { startFakeReplicate } from '../support/vendors/replicate.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { expectPresentable } from './support/looks.ts';
import { chooseItem, openComposer } from './support/pages.ts';
import { generate } from './support/generations.ts';
import { openAsOperator } from './support/operators.ts';
import { replicateModels } from './support/vendor-models.ts';
import { downloadOf } from './support/files.ts';

const ADMIN_TOKEN = 'operators-only-0123456789-abcdefghijk';
const KEY = 'r8_4f9a2c7d1e8b3a6f';
const ENTRY = {
  title: 'Sketch',
  kind: 'image',
  provider: 'vendor',
  target: 'owner/name',
  parameters: {
    seed: { type: 'integer', minimum: 0 },
    steps: { type: 'integer', minimum: 1, maximum: 50, default: 20 },
  },
  mapping: { prompt: '{prompt}', seed: '{seed}', steps: '{steps}' },
  cost: 3,
};
const [replicate, comfyui] = await Promise.all([
  startFakeReplicate({ key: KEY, models: replicateModels() }),
  startFakeComfyUi({}),
]);
afterAll(() => Promise.all([replicate.close(), comfyui.close()]));

describeConsole(
  'the catalogue of operators',
  (stage) => {
    const open = (path: string, width?: 'phone' | 'desk') => openAsOperator(stage, path, { width });
    const admin = async (method: 'GET' | 'PUT' | 'DELETE', path: string, json?: object) => {
      const { body } = await stage.service.call(method, `/admin/api/${path}`, {
        token: ADMIN_TOKEN,
        ...(json ? { json } : {}),
      });
      return body;
    };
    const addProvider = (id: string) =>
      admin('PUT', `providers/${id}`, { type: 'replicate', base_url: replicate.url, key: KEY });
    const addModel = (id: string, more: object = {}) => admin('PUT', `models/${id}`, { entry: { ...ENTRY, ...more } });
    const save = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
    const preview = (page: Page) => page.getByRole('region', { name: 'What callers see' });

    itOnEach(
      'adds a provider with its key, shows what is wrong at its field, checks it, changes and deletes it, on a %s',
      async (width) => {
        const { page } = await open('/operator?part=providers', width);
        const id = `studio-${width}`;
        await page.getByRole('button', { name: 'Add provider' }).first().click();
        const dialog = page.getByRole('dialog', { name: 'Add a provider' });
        await dialog.getByLabel('Key', { exact: true }).fill('r8_wrong');
        await dialog.getByLabel('Address of the API').fill(replicate.url);
        await dialog.getByText('It may be a private address of your network').waitFor();
        await dialog.getByRole('button', { name: 'Name and limits' }).click();
        await dialog.getByLabel('Name', { exact: true }).fill('no spaces please');
        await dialog.getByRole('button', { name: 'Save provider' }).click();
        await dialog.getByText(/^Name must/).waitFor();
        await expectPresentable(page, 'providers-wrong', [width]);
        await dialog.getByLabel('Name', { exact: true }).fill(id);
        await expectPresentable(page, 'providers-add', [width]);
        await dialog.getByRole('button', { name: 'Save provider' }).click();
        await page.getByText(`${id} is saved, but does not work yet`).waitFor();
        await page.getByRole('row', { name: id }).getByText('Needs attention').waitFor();

        await chooseItem(page.getByRole('button', { name: `Actions for ${id}` }), 'Edit');
        const form = page.getByRole('dialog', { name: `Edit ${id}` });
        await form.getByLabel('Key', { exact: true }).fill(KEY);
        await form.getByRole('button', { name: 'Save provider' }).click();
        await page.getByText(`${id} is saved and works.`).waitFor();
        const row = page.getByRole('row', { name: id });
        await row.getByText('…3a6f').waitFor();
        await row.getByText('Healthy').waitFor();
        expect(await page.content()).not.toContain(KEY);
        // Processes that have just read the saved provider call it again.
        await eventually(async () => {
          const paused = 'insert into paused_providers values ($1, now()) on conflict do nothing';
          await stage.service.database.query(paused, [id]);
          await page.reload();
          await row.getByText(/^(Healthy|Not called)$/).waitFor();
          return row.getByText('Not called for now, as five calls in a row have failed').isVisible();
        });
        await expectPresentable(page, 'providers', [width]);

        await chooseItem(page.getByRole('button', { name: `Actions for ${id}` }), 'Remove the key');
        const removal = page.getByRole('dialog', { name: `Remove the key of ${id}?` });
        await removal.getByRole('button', { name: 'Remove the key' }).click();
        await page.getByText(`${id} has no key now.`).waitFor();
        await row.getByText('No key').waitFor();

        await addModel(`uses-${id}`, { provider: id });
        await chooseItem(page.getByRole('button', { name: `Actions for ${id}` }), 'Delete');
        const question = page.getByRole('dialog', { name: `Delete ${id}?` });
        await question.getByRole('button', { name: 'Delete' }).click();
        await question.getByText(`The provider is used by uses-${id}`).waitFor();
        await admin('DELETE', `models/uses-${id}?revision=1`);
        await question.getByRole('button', { name: 'Delete' }).click();
        await page.getByText(`${id} is deleted.`).waitFor();
        await row.waitFor({ state: 'detached' });
      },
    );

    itOnEach(
      'connects a model by its address, answers what is asked, and sees the form change, on a %s',
      async (width) => {
        await addProvider('vendor');
        const { page, user } = await open('/operator?part=models', width);
        await page.getByRole('button', { name: 'Connect a model' }).click();
        await page.getByRole('radio', { name: 'vendor' }).click();
        await page.getByLabel('Name or address of the model').fill('nobody/nothing');
        await save(page, 'Read');
        await page.getByText('is not known to the vendor').waitFor();
        await page.getByLabel('Name or address of the model').fill('https://replicate.com/fofr/consistent-character');
        await save(page, 'Read');
        await page.getByRole('combobox', { name: /What is the picture “subject” for/ }).waitFor();
        await preview(page).getByText('Cost not decided yet').waitFor();
        await expectPresentable(page, 'connect-questions', [width]);
        expect(await page.getByRole('button', { name: 'Save model' }).isDisabled()).toBe(true);

        await page.getByRole('combobox', { name: /What is the picture “subject” for/ }).click();
        await page.getByRole('option', { name: 'Image', exact: true }).click();
        await preview(page)
          .getByRole('button', { name: /^Image: none/ })
          .waitFor();
        await page.getByRole('textbox', { name: 'Cost in credits' }).fill('3');
        await preview(page).getByText('3 credits').waitFor();
        const id = `consistent-${width}`;
        await page.getByLabel('Name for programs').fill('not an id');
        await page
          .getByText(/must start|must be|letters/)
          .first()
          .waitFor();
        await page.getByLabel('Name for programs').fill(id);
        await page.getByRole('button', { name: 'Change what was proposed' }).click();
        await page.getByLabel('Title').fill('Same face');
        await preview(page).getByText('Same face').waitFor();
        await expectPresentable(page, 'connect-answered', [width]);
        await save(page, 'Save model');
        await page.getByText('Same face is ready to use').waitFor();
        const { body } = await stage.service.call('GET', '/v2/models', { token: user.token });
        expect(body.models).toContainEqual(expect.objectContaining({ id, title: 'Same face', cost: 3 }));
        await page.getByRole('link', { name: 'Generate with it' }).click();
        await openComposer(page);
        await page.getByRole('button', { name: /^Model: Same face/ }).waitFor();
      },
    );

    it('connects a ComfyUI at a private address, and a workflow of it', async () => {
      const { page } = await open('/operator?part=models&connect=true');
      await page.getByRole('radio', { name: 'New: ComfyUI' }).click();
      await page.getByLabel('Address of the API').fill(comfyui.url);
      await save(page, 'Connect');
      await page.getByRole('radio', { name: 'comfyui', exact: true, checked: true }).waitFor();
      const workflow = readFileSync(join(ROOT, 'docs/comfyui/text-to-image.json'), 'utf8');
      await page.getByLabel('Workflow in API format').fill('{"no": ');
      await page.getByText('This is not JSON').waitFor();
      await page.getByLabel('Workflow in API format').fill(workflow);
      await page.getByRole('textbox', { name: 'Cost in credits' }).fill('1');
      await expectPresentable(page, 'connect-comfyui');
      await save(page, 'Save model');
      await page.getByText('Workflow is ready to use').waitFor();
    });

    itOnEach(
      'lists models with their source, turns one off, edits it beside its form, and deletes it, on a %s',
      async (width) => {
        await addProvider('vendor');
        const title = `A very long name of a model that an operator has once typed ${width}`;
        const id = `edited-${width}`;
        await addModel(id, { title });
        const { page } = await open('/operator?part=models', width);
        const row = page.getByRole('row', { name: title });
        await row.getByText('Added').waitFor();
        await page.getByRole('row', { name: 'Painter' }).getByText('Built in').waitFor();
        await row.getByText('Healthy').waitFor();
        await expectPresentable(page, 'models', [width]);
        await chooseItem(page.getByRole('button', { name: `Actions for ${title}` }), 'Turn off');
        await row.getByText('Off', { exact: true }).waitFor();
        expect(await offered()).not.toContain(id);
        await chooseItem(page.getByRole('button', { name: `Actions for ${title}` }), 'Turn on');
        await row.getByText('Off', { exact: true }).waitFor({ state: 'detached' });

        await chooseItem(page.getByRole('button', { name: `Actions for ${title}` }), 'Edit');
        await page.getByRole('textbox', { name: 'Cost in credits' }).fill('7');
        await preview(page).getByText('7 credits').waitFor();
        const steps = page.getByRole('group', { name: 'Steps' });
        await steps.getByLabel('Maximum').fill('0');
        await steps
          .getByText(/default/)
          .first()
          .waitFor();
        await expectPresentable(page, 'models-edit-wrong', [width]);
        await steps.getByLabel('Maximum').fill('80');
        await preview(page).getByLabel('Steps').first().waitFor();
        await page.getByRole('button', { name: 'Do not offer Seed' }).click();
        await preview(page).getByRole('textbox', { name: 'Seed' }).waitFor({ state: 'detached' });
        await save(page, 'Save changes');
        await row.getByText('7 credits').waitFor();
        const { models } = await admin('GET', 'catalogue');
        const saved = models.find((model: { id: string }) => model.id === id);
        expect(saved.entry).toMatchObject({ cost: 7, mapping: { prompt: '{prompt}' } });
        expect(saved.entry.parameters).toEqual({ steps: { type: 'integer', minimum: 1, maximum: 80, default: 20 } });

        await chooseItem(page.getByRole('button', { name: `Actions for ${title}` }), 'Delete');
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
        await page.getByText(`${title} is deleted.`).waitFor();
        expect(await offered()).not.toContain(id);
      },
    );

    const offered = async () => {
      const { body } = await stage.service.call('GET', '/v2/models', { token: (await stage.service.signUp()).token });
      return body.models.map(({ id }: { id: string }) => id);
    };

    it('tells the second of two operators to load the entry of the first', async () => {
      await addProvider('vendor');
      await addModel('shared', { title: 'Shared' });
      const { page } = await open('/operator?part=models&model=shared');
      await page.getByLabel('Title').fill('Mine');
      await admin('PUT', 'models/shared', { entry: { ...ENTRY, title: 'Theirs' }, revision: 1 });
      await save(page, 'Save changes');
      await page.getByText('Another operator was faster').waitFor();
      await expectPresentable(page, 'models-conflict');
      await save(page, 'Load the current one');
      await eventually(async () => (await page.getByLabel('Title').inputValue()) === 'Theirs');
      await page.getByLabel('Title').fill('Mine too');
      await save(page, 'Save changes');
      await page.getByRole('row', { name: 'Mine too' }).waitFor();

      await admin('DELETE', 'models/shared?revision=3');
      await page.goto('/console/operator?part=models&model=shared');
      await page.getByText('There is no added model of this name').waitFor();
    });

    itOnEach(
      'gives a model an end, a successor and a further name, and sees what would break, on a %s',
      async (width) => {
        await addProvider('vendor');
        const [title, next, alias] = [`Old ${width}`, `next-${width}`, `sketch-2024-${width}`];
        const id = `ends-${width}`;
        await addModel(id, { title });
        await addModel(next, { title: `Next ${width}` });
        const { page, user } = await open('/operator?part=models', width);
        await chooseItem(page.getByRole('button', { name: `Actions for ${title}` }), 'What would break?');
        await page.getByRole('dialog').getByText('Nothing uses it').waitFor();
        await page.keyboard.press('Escape');

        await chooseItem(page.getByRole('button', { name: `Actions for ${title}` }), 'Edit');
        const end = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
        await page.getByLabel('Ends on').fill(end);
        await page.getByRole('combobox', { name: 'Successor' }).fill(next);
        await page.getByRole('option', { name: next }).click();
        await page.getByRole('combobox', { name: 'Further names' }).fill('local-image');
        await page.keyboard.press('Enter');
        await page.getByText('local-image is also the id of a model').waitFor();
        await expectPresentable(page, 'models-life', [width]);
        await page.keyboard.press('Backspace');
        await page.keyboard.type(alias);
        await page.keyboard.press('Enter');
        await save(page, 'Save changes');
        await page.getByRole('row', { name: title }).getByText(`→ ${next}`).waitFor();
        await expectPresentable(page, 'models-ending', [width]);
        const { body } = await stage.service.call('GET', '/v2/models', { token: user.token });
        const expected = { id, retires_at: `${end}T00:00:00.000Z`, successor: next, aliases: [alias] };
        expect(body.models).toContainEqual(expect.objectContaining(expected));

        const preset = { name: 'Poster', model: alias, prompt: 'a fox' };
        await stage.service.call('POST', '/v2/presets', { token: user.token, json: preset });
        await page.getByRole('tab', { name: 'Health' }).click();
        const notice = page.getByRole('listitem').filter({ hasText: title });
        await notice.getByRole('button', { name: 'What would break?' }).click();
        await page.getByRole('dialog').getByText('Poster').waitFor();
        await expectPresentable(page, 'models-uses', [width]);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await expectPresentable(page, 'models-notice', [width]);
        await notice.getByRole('link', { name: title }).click();
        await page.getByRole('row', { name: title }).waitFor();
      },
    );

    it('shows what models were used for in a month, and saves it as CSV', async () => {
      const member = await stage.service.signUp();
      await generate(stage.service, member, { prompt: 'a fox', width: 128, height: 128 });
      await generate(stage.service, member, { prompt: 'a fox', image: 'http://10.0.0.1/private.png' });
      const { page } = await open('/operator?part=models');
      const row = page.getByRole('table', { name: 'Use by month' }).getByRole('row', { name: 'Painter' });
      await row.getByText('1 (50%)').waitFor();
      await row.scrollIntoViewIfNeeded();
      await expectPresentable(page, 'models-use');
      const file = await downloadOf(page, page.getByRole('button', { name: 'CSV' }).click());
      expect(file.suggestedFilename()).toMatch(/^models-20..-..\.csv$/);
      expect(readFileSync((await file.path())!, 'utf8')).toMatch(/,local-image,2,1,1,0,/);
    });
  },
  { ADMIN_TOKEN, SECRET_KEY: randomBytes(32).toString('base64') },
);

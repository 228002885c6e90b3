/** @tier deep, 30 s, about apps/console */
import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { generate } from './support/generations.ts';
import { expectPresentable } from './support/looks.ts';
import { chooseItem, openComposer } from './support/pages.ts';
import type { TestUser } from '../support/service.ts';

const ADMIN_TOKEN = 'operators-only-0123456789-abcdefghijk';

describeConsole(
  'presets',
  (stage) => {
    const call = async (user: Pick<TestUser, 'token'>, method: string, path: string, json?: object) =>
      (await stage.service.call(method, path, { token: user.token, json })).body;
    const presets = async (user: TestUser) => (await call(user, 'GET', '/v2/presets')).presets;
    const newest = async (user: TestUser) => (await call(user, 'GET', '/v2/generations')).generations[0];

    itOnEach('are saved from the form, and fill it with fields for their variables, on a %s', async (width) => {
      const user = await stage.service.signUp();
      const page = await stage.open('/generate', { as: user, width });
      await openComposer(page);
      const prompt = page.getByRole('textbox', { name: 'Prompt' });
      // The prompt that is offered to newcomers comes a moment later, between two steps of the typing.
      await eventually(async () => (await prompt.inputValue()) !== '');
      await prompt.fill('an {animal} in {place}');
      await page.getByRole('textbox', { name: 'Width' }).fill('128');
      await page.getByRole('button', { name: 'Save as preset' }).press('Enter');
      const saving = page.getByRole('dialog', { name: 'Save as preset' });
      await saving.getByText('Its fields are: animal, place.').waitFor();
      await expectPresentable(page, 'preset-save', [width]);
      await saving.getByRole('textbox', { name: 'Name' }).fill('Animals');
      await page.keyboard.press('Enter');
      await page.getByText('Saved the preset “Animals”').waitFor();
      const saved = {
        name: 'Animals',
        prompt: 'an {animal} in {place}',
        model: 'local-image',
        parameters: { width: 128 },
      };
      expect(await presets(user)).toMatchObject([saved]);
      expect(await newest(user)).toBeUndefined();

      await page.getByRole('button', { name: 'Start over' }).click();
      await page.getByRole('button', { name: 'Presets' }).press('Enter');
      await page.getByRole('button', { name: /^Animals/ }).waitFor();
      await expectPresentable(page, 'presets', [width]);
      await page.getByRole('button', { name: /^Animals/ }).press('Enter');
      const variables = page.getByRole('group', { name: 'Variables of the prompt' });
      await variables.getByRole('textbox', { name: 'animal' }).fill('owl');
      await page.getByText('Not complete yet').waitFor();
      await page.getByRole('form').getByRole('button', { name: 'Generate' }).click();
      await variables.getByText(/required/).waitFor();
      await expectPresentable(page, 'preset-variables', [width]);
      await variables.getByRole('textbox', { name: 'place' }).fill('snow');
      await eventually(async () => (await variables.getByText(/required/).count()) === 0);
      await page.getByRole('form').getByRole('button', { name: 'Generate' }).click();
      await eventually(async () => (await newest(user))?.prompt === 'an owl in snow');
      expect((await newest(user)).parameters).toMatchObject({ width: 128 });
    });

    it('are saved from a result, with its braces as text', async () => {
      const user = await stage.service.signUp();
      const made = await generate(stage.service, user, { prompt: 'an {owl}', width: 128 });
      const page = await stage.open(`/generate?generation=${made.id}`, { as: user });
      await page.getByRole('button', { name: 'Save as preset' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Owls');
      await page.keyboard.press('Enter');
      await page.getByText('Saved the preset “Owls”').waitFor();
      expect(await presets(user)).toMatchObject([{ name: 'Owls', prompt: 'an {{owl}}', parameters: { width: 128 } }]);
    });

    it('are renamed and deleted, and say what is gone', async () => {
      const user = await stage.service.signUp();
      const { persona } = await call(user, 'POST', '/v2/personas', { name: 'Muse' });
      const model = 'local-image';
      await call(user, 'POST', '/v2/presets', { name: 'First', model, persona_id: persona.id });
      await call(user, 'POST', '/v2/presets', { name: 'Second', model });
      await call(user, 'DELETE', `/v2/personas/${persona.id}`);
      await stage.service.database.query(`update presets set model = 'gone' where name = 'Second'`);
      const page = await stage.open('/generate', { as: user });
      await openComposer(page);
      await page.getByRole('button', { name: 'Presets' }).click();
      await page.getByText('Its persona was deleted.').waitFor();
      await page.getByText('The model “gone” is not offered any more; choose another model.').waitFor();
      expect(await page.getByRole('button', { name: /^Second/ }).isDisabled()).toBe(true);
      await expectPresentable(page, 'presets-gone');

      await chooseItem(page.getByRole('button', { name: 'Actions for First' }), 'Rename');
      const renaming = page.getByRole('dialog', { name: 'Rename the preset' });
      await renaming.getByRole('textbox', { name: 'Name' }).fill('Second');
      await page.keyboard.press('Enter');
      await renaming.getByText(/another preset has this name/i).waitFor();
      await renaming.getByRole('textbox', { name: 'Name' }).fill('Third');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /^Third/ }).waitFor();

      await chooseItem(page.getByRole('button', { name: 'Actions for Third' }), 'Delete');
      await page.getByRole('dialog', { name: 'Delete the preset?' }).getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('button', { name: /^Third/ }).waitFor({ state: 'detached' });
      expect(await presets(user)).toMatchObject([{ name: 'Second' }]);
    });

    itOnEach('open with the model that goes on, and say when theirs ends, on a %s', async (width) => {
      const user = await stage.service.signUp();
      const admin = async (path: string, json: object) => {
        const { status, body } = await stage.service.call('PUT', `/admin/api/${path}`, { token: ADMIN_TOKEN, json });
        expect([status, body.errors]).toEqual([200, undefined]);
      };
      await admin('providers/vendor', {
        type: 'replicate',
        base_url: 'http://localhost:1',
        key: 'r8_4f9a2c7d1e8b3a6f',
      });
      const save = (id: string, title: string, fields: object = {}) =>
        admin(`models/${id}`, {
          entry: { ...{ kind: 'image', title, provider: 'vendor', target: 'owner/name', cost: 3 }, ...fields },
        });
      const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
      await save('next', 'Painter 2', { mapping: { prompt: '{prompt}' }, cost: 5 });
      for (const [id, title] of [
        ['old', 'Painter 1'],
        ['soon', 'Sketcher'],
        ['lonely', 'Engraver'],
      ] as const) {
        const entry = { mapping: { prompt: '{prompt}' } };
        await save(id, title, entry);
        await call(user, 'POST', '/v2/presets', { name: title, model: id, prompt: `by ${id}` });
        const end = { retires_at: inDays(id === 'soon' ? 20 : -1), ...(id !== 'lonely' && { successor: 'next' }) };
        await save(id, title, { ...entry, ...end });
      }
      const page = await stage.open('/generate', { as: user, width });
      await openComposer(page);
      const open = () => page.getByRole('button', { name: 'Presets' }).click();
      await open();
      await page.getByText('The model “old” has ended; Painter 2 goes on, 5 credits.').waitFor();
      await page.getByText('The model “lonely” has ended; choose another model.').waitFor();
      const soon = /^Sketcher ends on \w+ \d+(, \d+)?; then Painter 2 goes on, 5 credits\.$/;
      await page.getByText(soon).waitFor();
      expect(await page.getByRole('button', { name: /^Engraver/ }).isDisabled()).toBe(true);
      await expectPresentable(page, 'presets-ended', [width]);
      await page.getByRole('button', { name: /^Painter 1/ }).click();
      await page.getByRole('button', { name: 'Model: Painter 2' }).waitFor();

      await open();
      await page.getByRole('button', { name: /^Sketcher/ }).click();
      await page.getByRole('form').getByText(soon).waitFor();
      await expectPresentable(page, 'composer-ending', [width]);
      await page.getByRole('button', { name: 'Batch' }).click();
      const batch = page.getByRole('form', { name: 'Batch' });
      await batch.getByText(soon).waitFor();
      await expectPresentable(page, 'batch-ending', [width]);
      await batch.getByRole('checkbox', { name: /^Sketcher/ }).click();
      await batch.getByText(soon).waitFor({ state: 'detached' });
    });
  },
  { ADMIN_TOKEN, SECRET_KEY: randomBytes(32).toString('base64') },
);

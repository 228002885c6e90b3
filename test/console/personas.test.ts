/** @tier deep, 65 s, about apps/console */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { teamOf } from '../support/team-of.ts';
import { describeConsole } from './support/console.ts';
import { expectAccessible, expectPresentable } from './support/looks.ts';
import { chooseItem, expectFocused } from './support/pages.ts';
import { chooseFiles, dropFiles, filesOnDisk, png } from './support/files.ts';
import { generate } from './support/generations.ts';
import { bodiesFor, prepared } from '../support/use-service.ts';

const LONG_NAME = 'ا'.repeat(100);

/** Expects that the service soon has what the page shows. */
async function expectSoon(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  await eventually(async () => isDeepStrictEqual(await read(), expected)).catch(() => {});
  expect(await read()).toEqual(expected);
}

describeConsole('personas', (stage) => {
  let folder: string;
  const user = prepared(() => stage.service.signUp());

  beforeAll(async () => {
    folder = await filesOnDisk({
      'style.png': await png('#0c675d'),
      'main.png': await png('#c2410c', 300, 400),
      'second.png': await png('#4338ca'),
      'liked.png': await png('#b45309', 500, 300),
      'broken.png': 'no picture',
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const call = bodiesFor(stage, user);
  const file = (name: string) => join(folder, name);
  const slot = (page: Page, number: number, state: string) =>
    page.getByRole('button', { name: new RegExp(`^Slot ${number}, .*: ${state}$`) });
  const slotsOf = async (id: number): Promise<Record<number, string>> => {
    const { persona } = await call('GET', `/v2/personas/${id}`);
    const filled = persona.slots.filter(({ photo }: { photo: string | null }) => photo !== null);
    return Object.fromEntries(
      filled.map((each: { slot: number; photo: string }) => [each.slot, each.photo.split('/').at(-1)!]),
    );
  };
  const newPersona = async (name: string): Promise<number> => (await call('POST', '/v2/personas', { name })).persona.id;
  const choose = (page: Page, ofSlot: number, item: string) =>
    chooseItem(page.getByRole('button', { name: `What to do with slot ${ofSlot}` }), item);

  it('are created, found by name, and filled by dropping files and pictures of the page', async () => {
    await Promise.all(Array.from({ length: 55 }, (_, at) => newPersona(`Persona ${at}`)));
    await newPersona(LONG_NAME);
    const page = await stage.open('/personas', { as: user });
    await page.getByText(LONG_NAME).waitFor();
    await page.keyboard.press('End');
    await page.getByRole('link', { name: /^Default/ }).waitFor();
    await page.getByRole('button', { name: 'New persona' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada');
    await page.getByLabel('Profession').fill('Mathematician');
    await page.getByRole('button', { name: 'Create persona' }).click();
    await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor();
    const id = Number(new URL(page.url()).pathname.split('/').at(-1));
    await expectPresentable(page, 'persona-empty');

    await dropFiles(page, [file('style.png'), file('main.png')], '[data-slot=\"1\"]');
    await slot(page, 1, 'ready').waitFor();
    await slot(page, 7, 'ready').waitFor();
    expect(await slotsOf(id)).toEqual({ 1: 'style.png', 7: 'main.png' });

    await slot(page, 1, 'ready').dragTo(page.locator('[data-slot=\"3\"]'));
    await slot(page, 3, 'ready').waitFor();
    await page.getByText('Now in slot 3').waitFor();
    expect(await slotsOf(id)).toEqual({ 3: 'style.png', 7: 'main.png' });
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.getByRole('button', { name: 'main.png', exact: true }).dragTo(page.locator('[data-slot=\"1\"]'));
    await slot(page, 1, 'ready').waitFor();
    expect(await slotsOf(id)).toEqual({ 1: 'main.png', 3: 'style.png', 7: 'main.png' });
    await expectPresentable(page, 'persona-files');

    await page.getByRole('link', { name: 'All personas' }).click();
    await page.getByText(LONG_NAME).waitFor();
    await expectPresentable(page, 'personas');
    await page.keyboard.press('/');
    await page.keyboard.type('ada');
    await page.getByText(LONG_NAME).waitFor({ state: 'hidden' });
    expect(new URL(page.url()).searchParams.get('q')).toBe('ada');
    await page.keyboard.type('zzz');
    await page.getByText('No persona is called “adazzz”').waitFor();
  });

  it('are made and filled by touch on a phone; what failed is not shown over a slot that was filled since', async () => {
    const page = await stage.open('/personas', { as: user, width: 'phone' });
    await page.getByRole('button', { name: 'New persona' }).tap();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Emmy');
    await page.getByRole('button', { name: 'Create persona' }).tap();
    await page.getByRole('heading', { name: 'Emmy', level: 1 }).waitFor();
    const failure = page.locator('[data-slot="1"]').getByText('Failed');
    const fill = (name: string) => chooseFiles(page, slot(page, 1, 'empty').tap(), file(name));
    await fill('broken.png');
    await failure.waitFor();
    await fill('style.png');
    await slot(page, 1, 'ready').waitFor();
    await failure.waitFor({ state: 'detached' });
  });

  it('of the same name are listed with their creators', async () => {
    const { owner, member } = await teamOf(stage.service);
    const people = [owner, await member()];
    for (const { token } of people) {
      await stage.service.call('POST', '/v2/personas', { token, json: { name: 'Ours' } });
    }
    const page = await stage.open('/personas', { as: owner });
    for (const { email } of people) await page.getByText(`Ours (${email})`).waitFor();
    await page.goto('/console/generate');
    await page.getByRole('form').getByRole('combobox', { name: 'Persona' }).click();
    for (const { email } of people) await page.getByRole('option', { name: `Ours (${email})` }).waitFor();
  });

  it('are filled, rearranged and emptied by keyboard alone, and each step is taken back', async () => {
    const id = await newPersona('Grace');
    const page = await stage.open(`/personas/${id}`, { as: user });
    await chooseFiles(page, slot(page, 1, 'empty').press('Enter'), file('style.png'));
    await slot(page, 1, 'ready').waitFor();

    await choose(page, 2, 'Use a stored picture…');
    // The dialog takes the focus a moment after it has opened.
    await expectFocused(page.getByRole('dialog').getByRole('button', { name: 'Close' }));
    await page.getByRole('tab', { name: 'Personas' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'style.png' }).press('Enter');
    await slot(page, 2, 'ready').waitFor();

    await page.evaluate(`new MutationObserver(() => {
      globalThis.wasEmpty ||= document.querySelector('[data-slot="2"][data-empty]') !== null;
    }).observe(document.body, { subtree: true, childList: true, attributes: true })`);
    await chooseFiles(page, choose(page, 2, 'Replace by a file…'), file('second.png'));
    await page.getByText('The picture in slot 2 was replaced').waitFor();
    await expectSoon(() => slotsOf(id), { 1: 'style.png', 2: 'second.png' });
    expect(await page.evaluate('globalThis.wasEmpty')).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expectSoon(() => slotsOf(id), { 1: 'style.png', 2: 'style.png' });

    await choose(page, 1, '7 · Main image');
    await slot(page, 7, 'ready').waitFor();
    await expectSoon(() => slotsOf(id), { 2: 'style.png', 7: 'style.png' });

    await choose(page, 7, 'Empty this slot');
    await slot(page, 7, 'empty').waitFor();
    await expectSoon(() => slotsOf(id), { 2: 'style.png' });
    await page.getByText('Slot 7 is empty').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().press('Enter');
    await slot(page, 7, 'ready').waitFor();
    await expectSoon(() => slotsOf(id), { 2: 'style.png', 7: 'style.png' });
  });

  it('delete an emptied slot’s picture when the page is left without undoing it', async () => {
    const id = await newPersona('Joan');
    const page = await stage.open(`/personas/${id}`, { as: user });
    await dropFiles(page, [file('style.png')], '[data-slot=\"2\"]');
    await slot(page, 2, 'ready').waitFor();
    await choose(page, 2, 'Empty this slot');
    await page.getByText('Slot 2 is empty').waitFor();
    await expectSoon(async () => (await call('GET', `/v2/personas/${id}`)).persona.likes_count, 1);
    // A page of the same site: Chromium gives a page that is left for another site half a second, which a busy machine exceeds.
    await page.goto('/openapi.json');
    await expectSoon(async () => (await call('GET', `/v2/personas/${id}`)).persona.trainings_count, 0);
  });

  it('explain why a picture could not be used, and keep likes', async () => {
    const id = await newPersona('Hedy');
    await call('POST', `/v2/personas/${id}/trains`, { photo: 'http://127.0.0.1:9/private.png', slot: 1 });
    const page = await stage.open(`/personas/${id}`, { as: user });
    await slot(page, 1, 'failed').click();
    await page.getByText(/public address, or upload it/).waitFor();
    await page.keyboard.press('Escape');

    await dropFiles(page, [file('liked.png'), file('main.png')], 'h1', () =>
      page.getByText('Drop to add to the likes of Hedy').waitFor(),
    );
    await page.getByRole('tab', { name: 'Likes 2' }).waitFor();
    await expectPresentable(page, 'persona-likes');
    const firstLike = page.getByRole('button', { name: /^What to do with Like/ }).first();
    await chooseItem(firstLike, '1 · Style (change places)');
    await slot(page, 1, 'ready').waitFor();
    await page.getByRole('tab', { name: 'Likes 2' }).waitFor();
    await chooseItem(firstLike, 'Remove like');
    await page.getByRole('tab', { name: 'Likes 1' }).waitFor();
  });

  it('refuse visibly to have more pictures chosen at once than may be', async () => {
    const id = await newPersona('Rosalind');
    await generate(stage.service, user, { prompt: 'a fox', width: 64 });
    const page = await stage.open(`/personas/${id}?tab=likes`, { as: user });
    await chooseItem(page.getByRole('button', { name: 'Add likes' }), 'From stored pictures…');
    const dialog = page.getByRole('dialog');
    const address = dialog.getByLabel('Address of a picture');
    const addAddresses = async (from: number, to: number) => {
      await dialog.getByRole('tab', { name: 'Web address' }).click();
      for (let at = from; at <= to; at += 1) {
        await address.fill(`https://pictures.invalid/${at}.png`);
        await address.press('Enter');
      }
    };
    const fox = dialog.getByRole('button', { name: 'a fox' });
    await fox.press('Enter');
    await addAddresses(1, 19);
    await dialog.getByText('You have chosen 20, which is the limit. Deselect one to choose another.').waitFor();
    await address.fill('https://pictures.invalid/20.png');
    expect(await dialog.locator('form').getByRole('button', { name: 'Use' }).isDisabled()).toBe(true);
    await dialog.getByRole('tab', { name: 'Generated' }).click();
    await fox.press('Enter');
    await dialog.getByText('19 of at most 20 chosen').waitFor();
    await addAddresses(20, 20);
    await dialog.getByRole('tab', { name: 'Generated' }).click();
    expect(await fox.getAttribute('aria-disabled')).toBe('true');
    await fox.press('Enter');
    expect(await fox.getAttribute('aria-pressed')).toBe('false');
    await expectAccessible(page);
  });

  it('are deleted by permitted users after they type the name', async () => {
    const id = await newPersona('Mary');
    const page = await stage.open(`/personas/${id}`, { as: user });
    await chooseItem(page.getByRole('button', { name: 'More' }), 'Delete…');
    await page.getByText('Its 0 pictures (slots and likes) and 0 files are deleted with it.').waitFor();
    const deletion = page.getByRole('button', { name: 'Delete persona' });
    expect(await deletion.isDisabled()).toBe(true);
    await expectAccessible(page);
    await page.getByLabel('Type “Mary” to confirm').fill('Mary');
    await deletion.press('Enter');
    await page.getByText('“Mary” is deleted').waitFor();
    await page.goto(`/console/personas/${id}`);
    await page.getByText('This persona does not exist').waitFor();
  });
});

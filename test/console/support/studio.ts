import type { Page } from 'playwright-core';
import type { Width } from './console.ts';
import { touchAndHold } from './pages.ts';

/** The parts of the screens on which pictures are made and found. */
export const tiles = (page: Page) => page.getByRole('option');
/** The oldest one with this name: what is made from it has the name, too. */
export const tile = (page: Page, name: string) => page.getByRole('option', { name: new RegExp(`^${name}`) }).last();
export const button = (page: Pick<Page, 'getByRole'>, name: string | RegExp) =>
  page.getByRole('button', { name }).first();
export const viewer = (page: Page) => page.getByRole('dialog', { name: 'Viewer' });
export const form = (page: Page) => page.getByRole('form', { name: 'Generate' });
export const prompt = (page: Page) => page.getByLabel('Prompt', { exact: true });

export async function openTile(page: Page, name: string): Promise<void> {
  await tile(page, name).click();
  await viewer(page).waitFor();
}

/** On a phone, the fields open with the prompt. */
export async function openFields(page: Page, width: Width): Promise<void> {
  await prompt(page).click();
  if (width === 'desk') await form(page).getByRole('button', { name: 'More', exact: true }).click();
}

/** Selects a tile with a click or a touch that is held; others follow by plain clicks. */
export const selectTile = (page: Page, width: Width, at: number) =>
  width === 'phone'
    ? touchAndHold(tiles(page).nth(at))
    : tiles(page)
        .nth(at)
        .click({ modifiers: ['Control'] });

/** Rates the picture in the viewer: a radio of stars is pressed by its label. */
export const rate = (page: Page, stars: string) =>
  viewer(page).getByRole('radio', { name: stars }).locator('xpath=following-sibling::label[1]').click();

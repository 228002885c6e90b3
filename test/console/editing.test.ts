/** @tier deep, 120 s, about apps/console */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { eventually } from '../support/eventually.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { expectAccessible, expectPresentable } from './support/looks.ts';
import { chooseItem, expectFocused } from './support/pages.ts';
import {
  draw,
  endedOf,
  greyOf,
  placesOn,
  editorOf,
  stageOf,
  startEditModels,
  storePicture,
} from './support/editing.ts';
import { Film } from './support/film.ts';
import { generate } from './support/generations.ts';
import { aLighthouse } from './support/photos.ts';
import { bodiesFor, prepared } from '../support/use-service.ts';

const WIDTH = 1200;
const HEIGHT = 900;
const models = await startEditModels();
afterAll(() => models.close());

describeConsole(
  'the editor',
  (stage) => {
    const me = prepared(() => stage.service.signUp());
    let picture: string;
    let film: Film;

    beforeAll(async () => {
      film = await Film.begin('editing');
      picture = await storePicture(stage.service, me, await aLighthouse());
    });

    const open = async (width: 'desk' | 'phone' = 'desk') => {
      const page = await stage.open(editorOf(picture), { as: me, width });
      await stageOf(page).waitFor();
      return page;
    };
    const tool = (page: Page, name: string) =>
      page.getByRole('toolbar', { name: 'Tools' }).getByRole('button', { name });
    const send = (page: Page) => page.getByRole('button', { name: /^Generate/ }).click();
    const result = (page: Page) => page.getByRole('region', { name: 'Result' });
    const sent = async () => {
      const generation = await endedOf(stage.service, me);
      return { generation, mask: await greyOf(generation.inputs.mask) };
    };
    const canUndo = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true }).isEnabled();

    itOnEach('changes the part of an output that is drawn over, on a %s', async (width) => {
      const user = await stage.service.signUp();
      const { outputs, id } = await generate(stage.service, user, { prompt: 'a fox', width: 256, height: 192 });
      const page = await stage.open('/generate', { as: user, width });
      await page.getByRole('option').first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByText('Mark what you want to change, or extend the picture.').waitFor();
      await expectAccessible(page, [width]);
      await draw(page, 256, [60, 60], [180, 60]);
      await page.getByLabel('What should be there?').fill('a red scarf');
      await expectPresentable(page, 'edit-drawn', [width]);
      await page.getByRole('button', { name: 'Generate 6 credits' }).click();
      await result(page).getByRole('button', { name: 'Keep changing' }).waitFor();
      const generation = await endedOf(stage.service, user);
      expect(generation).toMatchObject({
        model: 'fill',
        prompt: 'a red scarf',
        parent: { generation_id: id, output: 0 },
        inputs: { image: outputs[0].url },
        cost: 6,
      });
      const mask = await greyOf(generation.inputs.mask);
      expect(mask).toMatchObject({ format: 'png', width: 256, height: 192 });
      expect([mask.at(60, 60), mask.at(120, 60), mask.at(180, 60)]).toEqual([255, 255, 255]);
      expect([mask.at(120, 80), mask.at(120, 40), mask.at(220, 60)]).toEqual([0, 0, 0]);
      await expectPresentable(page, 'edit-result', [width]);
      await result(page).getByRole('button', { name: 'Keep changing' }).click();
      await page.getByText('Mark what you want to change, or extend the picture.').waitFor();
      expect(new URL(page.url()).searchParams.get('image')).toBe(
        JSON.stringify(generation.outputs[0].url).slice(1, -1),
      );
      expect(new URL(page.url()).searchParams.get('parent')).toBe(`${generation.id}-0`);
      expect(await canUndo(page)).toBe(false);
    });

    it('erases, takes back and does again, and changes nothing that was erased', async () => {
      const page = await open();
      await draw(page, WIDTH, [300, 300], [900, 300]);
      await page.keyboard.press('e');
      await draw(page, WIDTH, [600, 200], [600, 400]);
      await page.keyboard.press('b');
      await draw(page, WIDTH, [300, 700], [900, 700]);
      await film.take(page, 'marked');
      await page.keyboard.press('Control+z');
      await page.keyboard.press('Control+z');
      await page.keyboard.press('Control+z');
      expect(await canUndo(page)).toBe(false);
      await page.keyboard.press('Control+Shift+z');
      await page.keyboard.press('Control+Shift+Z');
      await send(page);
      await result(page).getByRole('button', { name: 'Keep changing' }).waitFor();
      const { mask } = await sent();
      expect(mask).toMatchObject({ width: WIDTH, height: HEIGHT });
      expect([mask.at(300, 300), mask.at(600, 300), mask.at(900, 300), mask.at(600, 700)]).toEqual([255, 0, 255, 0]);
    });

    it('keeps what was drawn over a reload, for each tab and picture', async () => {
      const page = await open();
      await page.keyboard.press('l');
      await draw(page, WIDTH, [100, 100], [500, 100], [500, 500], [100, 500]);
      await page.getByLabel('What should be there?').fill('a boat');
      const other = await page.context().newPage();
      await other.goto(page.url());
      await stageOf(other).waitFor();
      expect(await canUndo(other)).toBe(false);
      await draw(other, WIDTH, [900, 700], [1000, 700]);
      await other.close();
      await page.reload();
      await stageOf(page).waitFor();
      await eventually(() => canUndo(page));
      expect(await page.getByLabel('What should be there?').inputValue()).toBe('a boat');
      await send(page);
      await result(page).waitFor();
      const { generation, mask } = await sent();
      expect(generation.prompt).toBe('a boat');
      expect([mask.at(300, 300), mask.at(600, 300), mask.at(950, 700)]).toEqual([255, 0, 0]);
      await page.reload();
      await result(page).getByRole('button', { name: 'Back to the drawing' }).click();
      await eventually(() => canUndo(page));
    });

    it('marks a rectangle by keys alone, says so, and inverts it', async () => {
      const page = await open();
      await tool(page, 'Brush').focus();
      for (const name of ['Eraser', 'Lasso', 'Rectangle']) {
        await page.keyboard.press('ArrowDown');
        await expectFocused(tool(page, name));
      }
      await page.keyboard.press('Enter');
      await stageOf(page).focus();
      await page.keyboard.press('Enter');
      await page.getByText('Rectangle, 300 by 225 pixels, 450 from the left, 338 from the top').waitFor();
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Alt+ArrowUp');
      await page.keyboard.press('Shift+ArrowRight');
      await page.getByText('Rectangle, 324 by 225 pixels, 426 from the left, 337 from the top').waitFor();
      await expectPresentable(page, 'edit-rectangle');
      await page.keyboard.press('Enter');
      await page.getByText('Marked', { exact: true }).waitFor();
      await page.keyboard.press('i');
      await page.getByText('Inverted', { exact: true }).waitFor();
      await page.getByLabel('What should be there?').press('Control+Enter');
      await result(page).waitFor();
      const { mask } = await sent();
      const edges = [mask.at(425, 400), mask.at(426, 400), mask.at(749, 400), mask.at(750, 400)];
      expect(edges).toEqual([255, 0, 0, 255]);
      expect([mask.at(500, 336), mask.at(500, 337), mask.at(500, 561), mask.at(500, 562)]).toEqual([255, 0, 0, 255]);
    });

    it('fades the edge of the mask, but not at the edge of the picture', async () => {
      const page = await open();
      await page.keyboard.press('r');
      await draw(page, WIDTH, [-20, -20], [600, 950]);
      const feather = page.getByRole('slider', { name: 'Feather' });
      for (let step = 0; step < 40; step++) await feather.press('ArrowRight');
      await send(page);
      await result(page).waitFor();
      const { mask } = await sent();
      expect([mask.at(0, 0), mask.at(0, 899), mask.at(500, 450), mask.at(700, 450)]).toEqual([255, 255, 255, 0]);
      expect(mask.at(590, 450)).toBeLessThan(mask.at(570, 450));
      expect(Math.abs(mask.at(600, 450) - 128)).toBeLessThan(30);
      await result(page).getByRole('button', { name: 'Back to the drawing' }).click();
    });

    it('extends the picture by keys and by pulling a side, and sends it with the new area in white', async () => {
      const page = await open();
      await page.keyboard.press('x');
      await stageOf(page).focus();
      await page.keyboard.press('ArrowRight');
      await page.getByText('The picture is extended to 1,275 by 900 pixels').waitFor();
      const { at, scale } = await placesOn(page, WIDTH);
      await page.mouse.move(...at(400, 900));
      await page.mouse.down();
      const [x, y] = at(400, 900);
      await page.mouse.move(x, y + 100 * scale, { steps: 5 });
      await page.mouse.up();
      await film.take(page, 'extended');
      await expectPresentable(page, 'edit-extend');
      await send(page);
      await result(page).waitFor();
      const { generation, mask } = await sent();
      expect(mask).toMatchObject({ width: 1275, height: 1000 });
      expect([mask.at(1199, 899), mask.at(1200, 100), mask.at(100, 900)]).toEqual([0, 255, 255]);
      const image = await greyOf(generation.inputs.image);
      expect(image).toMatchObject({ width: 1275, height: 1000 });
      const before = await greyOf(picture);
      expect(Math.abs(image.at(330, 560) - before.at(330, 560))).toBeLessThan(8);
    });

    it('marks an object that a model finds, by a click on it or by its name', async () => {
      const page = await open();
      await tool(page, 'Select an object').click();
      const mask = await sharp({ create: { width: 120, height: 90, channels: 3, background: '#000' } })
        .composite([
          {
            input: Buffer.from(
              '<svg width="120" height="90"><rect x="30" y="50" width="20" height="20" fill="#fff"/></svg>',
            ),
          },
        ])
        .png()
        .toBuffer();
      await page.getByRole('button', { name: 'Find objects 2 credits' }).click();
      const found = await endedOf(stage.service, me, 'objects');
      await page.route(found.outputs[0].url, (route) => route.fulfill({ body: mask, contentType: 'image/png' }));
      await page.reload();
      await stageOf(page).waitFor();
      await tool(page, 'Select an object').click();
      await page.getByRole('button', { name: 'Object 1' }).waitFor();
      // The tooltip of the tool ends.
      await page.mouse.move(0, 0);
      await page.getByRole('tooltip').waitFor({ state: 'detached' });
      await expectAccessible(page);
      const { at } = await placesOn(page, WIDTH);
      await eventually(async () => {
        await page.mouse.click(...at(400, 600));
        return canUndo(page);
      });
      await page.mouse.click(...at(100, 100));
      await page.getByText('There is no object here').waitFor();
      await send(page);
      await result(page).waitFor();
      const { mask: sentMask } = await sent();
      expect([sentMask.at(400, 600), sentMask.at(250, 600), sentMask.at(600, 600)]).toEqual([255, 0, 0]);
    });

    it('draws with a finger, and moves and zooms the picture with two, on a phone', async () => {
      const page = await open('phone');
      const { at, scale } = await placesOn(page, WIDTH);
      const session = await page.context().newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: (readonly [number, number])[]) =>
        session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
      await touch('touchStart', at(300, 300));
      for (const x of [400, 500, 600]) await touch('touchMove', at(x, 300));
      await touch('touchEnd');
      await eventually(() => canUndo(page));
      await touch('touchStart', at(300, 600));
      await touch('touchStart', at(300, 600), at(500, 600));
      await touch('touchMove', at(200, 600), at(600, 600));
      await touch('touchEnd');
      const spread = await placesOn(page, WIDTH);
      expect(spread.scale / scale).toBeCloseTo(2, 1);
      await film.take(page, 'phone');
      await page.getByRole('button', { name: /^Generate/ }).tap();
      await result(page).waitFor();
      const { mask } = await sent();
      expect([mask.at(450, 300), mask.at(300, 600)]).toEqual([255, 0]);
    });

    it('loses nothing that was drawn when the network, the credits, the picture or the model fail', async () => {
      const page = await open();
      await draw(page, WIDTH, [300, 300], [500, 300]);
      await page.context().setOffline(true);
      await page.getByText('You are offline. What you drew is kept.').waitFor();
      expect(await page.getByRole('button', { name: /^Generate/ }).isDisabled()).toBe(true);
      await page.context().setOffline(false);
      const refusal = {
        status: false,
        code: 'insufficient_credits',
        message: 'too few credits are left',
        request_id: 'r',
      };
      await page.route('**/v2/generate', (route) => route.fulfill({ status: 402, json: refusal }));
      await send(page);
      await page.getByRole('alert').filter({ hasText: 'Too few credits are left' }).waitFor();
      await expectPresentable(page, 'edit-refused');
      await page.unroute('**/v2/generate');
      await page.getByRole('button', { name: 'Extend the picture' }).click();
      await page.getByRole('button', { name: 'Extend to 1:1' }).click();
      await page.route(picture, (route) => route.fulfill({ status: 404 }));
      await send(page);
      await page.getByRole('alert').filter({ hasText: 'The picture can’t be read' }).waitFor();
      await page.unroute(picture);
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      models.fal.plan(['moderates']);
      await send(page);
      await result(page).getByRole('button', { name: 'Back to the drawing' }).waitFor();
      await result(page).getByRole('button', { name: 'Back to the drawing' }).click();
      expect(await canUndo(page)).toBe(true);
    });

    it('opens from a stored file by the key E, and from a menu', async () => {
      const user = await stage.service.signUp();
      await storePicture(stage.service, user, await aLighthouse());
      const [persona] = (await stage.service.call('GET', '/v2/personas', { token: user.token })).body.personas;
      const page = await stage.open(`/personas/${persona.id}?tab=files`, { as: user });
      await page.getByRole('button', { name: 'picture.jpg', exact: true }).click();
      await page.getByRole('dialog', { name: 'Viewer' }).waitFor();
      await page.keyboard.press('e');
      await stageOf(page).waitFor();
      await page.getByRole('button', { name: 'Back', exact: true }).click();
      await page.getByRole('dialog', { name: 'Viewer' }).waitFor();
      await page.keyboard.press('Escape');
      await chooseItem(page.getByRole('button', { name: /picture\.jpg/ }).last(), 'Edit');
      await stageOf(page).waitFor();
    });

    it('opens from a picture of a board, and goes on from the output that it is', async () => {
      const call = bodiesFor(stage, me);
      const { id, outputs } = await generate(stage.service, me, { prompt: 'a fox', width: 256, height: 192 });
      const { board } = await call('POST', '/boards', { name: 'Ideas' });
      const extras = JSON.stringify({ generation_id: id, prompt: 'a fox' });
      await call('POST', `/boards/${board.id}/media`, { url: outputs[0].url, extras });
      const page = await stage.open(`/boards/${board.id}`, { as: me });
      const read = page.waitForResponse(`**/v2/generations/${id}`);
      await page.getByRole('option').waitFor();
      await page.getByRole('listbox', { name: 'Media' }).focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('Enter');
      await read;
      const viewer = page.getByRole('dialog', { name: 'Viewer' });
      await viewer.getByRole('button', { name: 'Edit', exact: true }).waitFor();
      await eventually(async () => {
        if (await viewer.isVisible()) await page.keyboard.press('e');
        return stageOf(page).isVisible();
      });
      expect(new URL(page.url()).searchParams.get('parent')).toBe(`${id}-0`);
    });

    it('says so when the picture is gone or none is named', async () => {
      const page = await stage.open(editorOf(`${picture}x`), { as: me });
      await page.getByText('This picture can’t be loaded').waitFor();
      await expectPresentable(page, 'edit-gone');
      await page.goto('/console/edit');
      await page.getByText('There is no picture to edit').waitFor();
    });
  },
  models.env,
);

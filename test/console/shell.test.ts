import { expect, it } from '@jest/globals';
import { describeConsole, expectAccessible, takeScreenshots } from './support/console.ts';

describeConsole('the shell', (stage) => {
  it('asks who is not signed in to sign in', async () => {
    const page = await stage.open('/boards');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe('/boards');
    await expectAccessible(page);
  });

  it('leads to every screen', async () => {
    const page = await stage.open('/', { as: await stage.service.signUp() });
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    for (const name of [
      'Generate',
      'Boards',
      'Personas',
      'History',
      'Uploads',
      'Team',
      'Usage',
      'Tokens',
      'Operator',
    ]) {
      await page.getByRole('link', { name }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
    }
    await expectAccessible(page);
    await takeScreenshots(page, 'shell');
  });
});

/** @tier deep, 15 s, about apps/console */
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { expect } from '@jest/globals';
import { listen } from '../support/listen.ts';
import { untilTestEnds } from '../support/use-service.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { expectPresentable } from './support/looks.ts';

describeConsole('applications', (stage) => {
  /** The address that an application opens, and the queries that it gets back. */
  async function anApplication() {
    const got: string[] = [];
    const server = untilTestEnds(
      createServer(({ url }, response) => {
        got.push(url!);
        response.end('You can close this page.');
      }),
    );
    const callback = `http://${await listen(server)}/callback`;
    const { baseUrl } = stage.service;
    const verifier = randomBytes(32).toString('base64url');
    const json = { client_name: 'Assistant', redirect_uris: [callback] };
    const registered = await fetch(`${baseUrl}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });
    const { client_id } = (await registered.json()) as { client_id: string };
    const query = new URLSearchParams({
      client_id,
      redirect_uri: callback,
      response_type: 'code',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope: 'read generate boards',
      state: 'of-the-application',
    });
    const redeem = async (code: string) => {
      const fields = {
        grant_type: 'authorization_code',
        code,
        client_id,
        redirect_uri: callback,
        code_verifier: verifier,
      };
      const response = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) });
      return (await response.json()) as { access_token: string };
    };
    return { path: `/authorize?${query}`, got, callback, redeem };
  }

  itOnEach('ask, are allowed by keyboard, and are disconnected in the account, on a %s', async (width) => {
    const { path, got, callback, redeem } = await anApplication();
    const user = await stage.service.signUp();
    const page = await stage.open(path, { width });
    await page.getByRole('heading', { name: 'An application asks for your permission' }).waitFor();
    await page.getByLabel('E-mail', { exact: true }).fill(user.email);
    await page.getByLabel('Password', { exact: true }).fill(user.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '“Assistant” wants to act for you' }).waitFor();
    await page.getByText(new URL(callback).host).waitFor();
    await expectPresentable(page, 'authorize', [width]);
    await page.getByRole('button', { name: 'Allow' }).press('Enter');
    await page.getByText('You can close this page.').waitFor();
    const answer = new URL(got[0]!, callback).searchParams;
    expect([answer.get('state'), answer.get('iss')]).toEqual(['of-the-application', stage.service.baseUrl]);
    const { access_token: token } = await redeem(answer.get('code')!);
    const status = async () => {
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
      return (await fetch(`${stage.service.baseUrl}/mcp`, sent)).status;
    };
    expect(await status()).toBe(200);

    const account = await stage.open('/account', { as: user, width });
    const disconnect = account.getByRole('button', { name: /^Disconnect/ });
    await disconnect.scrollIntoViewIfNeeded();
    await expectPresentable(account, 'applications', [width]);
    await disconnect.press('Enter');
    await account.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).press('Enter');
    await account.getByText('None yet.').waitFor();
    expect(await status()).toBe(401);
  });

  itOnEach('are refused, or say what is wrong with their request, on a %s', async (width) => {
    const { path, got, callback } = await anApplication();
    const user = await stage.service.signUp();
    const page = await stage.open(path, { as: user, width });
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByText('You can close this page.').waitFor();
    expect(new URL(got[0]!, callback).searchParams.get('error')).toBe('access_denied');
    const wrong = path.replace(encodeURIComponent(callback), encodeURIComponent('https://evil.example.com/'));
    const refused = await stage.open(wrong, { as: user, width });
    await refused.getByRole('heading', { name: 'This request is not valid' }).waitFor();
    await refused.getByText('redirect_uri is not one that this application has registered').waitFor();
    await expectPresentable(refused, 'authorize-wrong', [width]);
    expect(got).toHaveLength(1);
  });
});

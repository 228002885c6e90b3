import { randomBytes } from 'node:crypto';
import { freePort } from '#process';
import { CLIENT, TestIssuer } from '../../support/issuer.ts';

/** An issuer with this service as its client, and the settings of the service. */
export async function newIssuer(name: string) {
  const port = String(await freePort());
  const issuer = await TestIssuer.start(`http://127.0.0.1:${port}/v2/auth/oidc/callback`);
  const env = {
    PORT: port,
    SECRET_KEY: randomBytes(32).toString('base64'),
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: name,
    OIDC_AUTO_REGISTER: 'true',
  };
  return { issuer, env };
}

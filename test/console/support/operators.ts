import type { Page } from 'playwright-core';
import type { TestUser } from '../../support/service.ts';
import type { ConsoleStage, Width } from './console.ts';

/** Opens a path as a new user who is an operator, with the session of a password: that of a token is none of an operator. */
export async function openAsOperator(
  stage: ConsoleStage,
  path: string,
  { width }: { readonly width?: Width } = {},
): Promise<{ page: Page; user: TestUser }> {
  const user = await stage.service.signUp();
  await stage.service.database.query('update users set is_operator = true where id = $1', [user.id]);
  const page = await stage.open('/sign-in', { width });
  const origin = stage.service.baseUrl;
  const { email, password } = user;
  await page.context().request.post('/v2/auth/session', { data: { email, password }, headers: { origin } });
  await page.goto(`/console${path}`);
  return { page, user };
}

import { signInAddress, SignInLinks } from '#identity';
import type { TestService } from '../../support/service.ts';

/** The secret of a new sign-in link, and its path below `/console`. */
export async function newSignInLink({ api }: TestService, userId: number) {
  const { secret } = await api.app.get(SignInLinks, { strict: false }).issue({ userId, isLocal: true });
  return { secret, path: signInAddress('', { secret }).replace('/console', '') };
}

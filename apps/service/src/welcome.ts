import type { Settings } from '#config';
import { SIGN_IN_LINK_MINUTES } from '#identity';
import { describeRelease, RELEASE } from '#process';
import { DEMO_ROLES, readDemo } from './demo.ts';

/**
 * The text that is printed when the service is ready: its URL, and how to make a first call.
 *
 * @param link the address of a sign-in link, if there is one
 */
export async function welcome({ http, data, database, console }: Settings, link: string | null): Promise<string> {
  const lines = [
    '',
    `Ready at ${http.publicUrl}`,
    ...(console.enabled ? [`  console        ${http.publicUrl}/console`] : []),
    ...(link === null ? [] : [`  sign in        ${link}`]),
    `  documentation  ${http.publicUrl}/docs`,
    `  data           ${data.folder}`,
    `  version        ${describeRelease(RELEASE)}`,
  ];
  const demo = database.url === null ? await readDemo(data.demo) : null;
  if (demo) {
    lines.push('', `Tokens of the demo (${data.demo}):`);
    for (const role of DEMO_ROLES) lines.push(`  ${role.padEnd(7)} ${demo.tokens[role]}`);
    if (link !== null) {
      lines.push(
        '',
        "Try the console: open the sign-in link. It signs you in as the demo's owner: once, within",
        `${SIGN_IN_LINK_MINUTES} minutes, in a browser on this machine.`,
      );
    } else if (console.enabled) {
      lines.push('', 'Try the console: open it, choose "Use a token", and paste the token of the owner.');
    }
    lines.push(
      '',
      'Try the API:',
      `  curl -H 'Authorization: Bearer ${demo.tokens.owner}' ${http.publicUrl}/v2/auth/me`,
    );
  }
  return [...lines, '', 'Ctrl-C stops it.', ''].join('\n');
}

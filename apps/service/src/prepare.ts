import { systemClock } from '#kernel';
import { readSettings, type Settings } from '#config';
import { signInAddress, SignInLinks, Tokens } from '#identity';
import { PostgresSignInLinks, PostgresTokens, type PostgresConnection } from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/secrets';
import { runTask } from '#process';
import { isIntact, readDemo, writeDemo, type Demo } from './demo.ts';
import { migrateDatabase, withDatabase } from './database.ts';

// Its result is the address of a sign-in link for the owner of the demo, where a browser of this machine can use one.
await runTask(async () => {
  const settings = readSettings(process.env);
  const kept = await withDatabase(settings, async (connection, url) => {
    await migrateDatabase(settings, connection, url);
    const demo = await keptDemo(settings, connection);
    return demo && { address: await addressOfLink(settings, connection, demo) };
  });
  if (kept) return kept.address;
  // Every start waits for this program: it loads the seeding code only if there is something to seed.
  const { seedDemo } = await import('./demo.module.ts');
  const demo = await seedDemo(settings);
  return withDatabase(settings, (connection) => addressOfLink(settings, connection, demo));
});

/** The demo of an earlier start, if it is complete. */
async function keptDemo({ data, http }: Settings, { database }: PostgresConnection): Promise<Demo | null> {
  const demo = await readDemo(data.demo);
  const tokens = new Tokens(new PostgresTokens(database), new RandomTokenSecrets(), systemClock);
  if (!demo || !(await isIntact(demo, tokens))) return null;
  if (demo.base_url !== http.publicUrl) await writeDemo(data.demo, { ...demo, base_url: http.publicUrl });
  return demo;
}

async function addressOfLink(
  { http, console }: Settings,
  { database }: PostgresConnection,
  { users }: Demo,
): Promise<string | null> {
  if (!console.enabled || !isThisMachine(new URL(http.publicUrl))) return null;
  const links = new SignInLinks(new PostgresSignInLinks(database), new RandomTokenSecrets(), systemClock);
  return signInAddress(http.publicUrl, await links.issue({ userId: users.owner.id, isLocal: true }));
}

function isThisMachine({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

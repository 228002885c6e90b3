export default async function stopDatabase() {
  await globalThis.testDatabaseServer?.stop();
  globalThis.testDatabaseServer = undefined;
}

export default async function stopEngines() {
  await Promise.all((globalThis.testEngines ?? []).map((container) => container.stop({ timeout: 0 })));
  globalThis.testEngines = undefined;
}

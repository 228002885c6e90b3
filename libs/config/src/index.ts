export { folderRefusal, makeFolder } from './folders.ts';
export { keepSecret } from './keep-secret.ts';
export { FREE_PLAN } from './plans.ts';
export { readSettings, SettingsError } from './read-settings.ts';
export { keepSecretKey, replaceSecretKey, secretKeys, type SecretKeys } from './secret-keys.ts';
export { shownSettings, type ShownSetting } from './shown-settings.ts';
export { pathsIn, type Settings, settingsTable } from './settings.ts';

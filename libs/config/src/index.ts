export { pathsIn } from './data-paths.ts';
export { folderRefusal, makeFolder } from './folders.ts';
export { keepSecret } from './keep-secret.ts';
export { FREE_PLAN } from './plans.ts';
export { readSettings, type Settings, SettingsError } from './read-settings.ts';
export { keepSecretKey, replaceSecretKey, secretKeys, type SecretKeys } from './secret-keys.ts';
export { settingsTable, shownSettings, type ShownSetting } from './shown-settings.ts';

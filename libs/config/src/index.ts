export { keepSecret } from './keep-secret.ts';
export { FREE_PLAN, type PlanSettings } from './plans.ts';
export { readSettings, SettingsError } from './read-settings.ts';
export { settingsTable } from './settings-table.ts';
export type {
  AccountSettings,
  DatabaseSettings,
  DataSettings,
  FetchSettings,
  HttpSettings,
  LogSettings,
  MailSettings,
  MetricsSettings,
  Settings,
  StorageSettings,
  UploadSettings,
  WorkerSettings,
} from './settings.ts';

import { resolve } from 'node:path';
import {
  AddedEntryRules,
  AjvParameterCheck,
  CatalogError,
  DEFAULT_LIMITS,
  readCatalog,
  type Catalog,
} from '#adapters/catalog';
import { PostgresCatalogue, type Database } from '#adapters/postgres';
import { createRemoteProvider, LOCAL_MODELS, REMOTE_TYPES } from '#adapters/providers';
import { LiveCatalogue, type ProviderSettings } from '#catalogue';
import { SettingsError, type Settings } from '#config';
import type { RemoteProvider } from '#generation';
import type { Sealer } from '#kernel';

/**
 * Reads the catalogue of models and providers in the settings.
 *
 * @param check compiles the schemas of parameters
 * @throws SettingsError with one line for each problem of the file
 */
export function readCatalogue(
  { models, environment }: Pick<Settings, 'models' | 'environment'>,
  check?: AjvParameterCheck,
): Catalog {
  try {
    return readCatalog({
      file: models.file,
      env: environment,
      types: REMOTE_TYPES,
      local: LOCAL_MODELS,
      providers: providersOf(models),
      check,
    });
  } catch (error) {
    throw error instanceof CatalogError
      ? new SettingsError(`${error.message} (MODELS_FILE is ${resolve(models.file!)})`)
      : error;
  }
}

/** The providers that the settings configure without a file. */
function providersOf(models: Settings['models']): readonly ProviderSettings[] {
  const withKeys = [
    { id: 'replicate', key: models.replicateToken, baseUrl: models.replicateUrl },
    { id: 'fal', key: models.falKey, baseUrl: models.falUrl },
    { id: 'openai', key: models.openaiKey, baseUrl: models.openaiUrl },
  ].filter(({ key }) => key !== null);
  const comfyui = models.comfyuiUrl === null ? [] : [{ id: 'comfyui', key: null, baseUrl: models.comfyuiUrl }];
  return [...withKeys, ...comfyui].map((provider) => ({ ...provider, type: provider.id, ...DEFAULT_LIMITS }));
}

/**
 * The catalogue with the entries that operators have added, for a command or a check that runs nothing.
 *
 * @throws SettingsError as `readCatalogue`
 */
export async function readWholeCatalogue(
  settings: Pick<Settings, 'models' | 'environment' | 'fetch'>,
  database: Database,
  sealer: Pick<Sealer, 'open'>,
): Promise<LiveCatalogue> {
  const check = new AjvParameterCheck();
  const catalogue = new LiveCatalogue({
    fixed: readCatalogue(settings, check),
    store: new PostgresCatalogue(database),
    rules: entryRules(check),
    sealer,
    isAvailable: () => true,
    openProvider: async (provider) => void (await openProvider(settings, provider)),
    closeProvider: () => undefined,
    warn: () => undefined,
  });
  await catalogue.refresh();
  return catalogue;
}

/** The rules of entries that operators add. */
export function entryRules(check: AjvParameterCheck): AddedEntryRules {
  return new AddedEntryRules({ types: REMOTE_TYPES, local: LOCAL_MODELS, check });
}

/** A provider of the catalogue, without rate limit and circuit breaker. */
export function openProvider({ fetch }: Pick<Settings, 'fetch'>, provider: ProviderSettings): Promise<RemoteProvider> {
  return createRemoteProvider(provider, { allowedHosts: fetch.allowedHosts, maxOutputBytes: fetch.maxBytes });
}

import { CatalogError, DEFAULT_LIMITS, readCatalog, type AjvParameterCheck, type Catalog } from '#adapters/catalog';
import { createRemoteProvider, LOCAL_MODELS, REMOTE_TYPES } from '#adapters/providers';
import { SettingsError, type Settings } from '#config';
import type { ProviderSettings, RemoteProvider } from '#generation';

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
    throw error instanceof CatalogError ? new SettingsError(error.message) : error;
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

/** A provider of the catalogue, without rate limit and circuit breaker. */
export function openProvider({ fetch }: Pick<Settings, 'fetch'>, provider: ProviderSettings): Promise<RemoteProvider> {
  return createRemoteProvider(provider, { allowedHosts: fetch.allowedHosts, maxOutputBytes: fetch.maxBytes });
}

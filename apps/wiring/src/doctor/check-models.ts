import type { Catalog } from '#adapters/catalog';
import { SettingsError, type Settings } from '#config';
import type { Model, ProviderHealth, ProviderSettings, RemoteProvider } from '#generation';
import { openProvider, readCatalogue } from '../catalogue.ts';
import { demand, findings, Ill, type Check, type Finding } from './check.ts';

/** Time limit of each health check. */
const TIMEOUT_MS = 30_000;

type Open = (settings: ProviderSettings) => Promise<Pick<RemoteProvider, 'health'>>;

/** Checks each provider and, if it is healthy, the targets of its models. */
export async function checkModels({ providers, models }: Catalog, open: Open): Promise<readonly Finding[]> {
  const catalogue: Check = ['catalogue', async () => `${models.length} models, ${providers.length} remote providers`];
  const ofProvider = async (settings: ProviderSettings): Promise<readonly Finding[]> => {
    const own = models.filter(({ provider }) => provider === settings.id);
    const found = await findings([providerCheck(settings, open)]);
    if (found.some(({ state }) => state === 'ill')) return found;
    return [...found, ...(await findings(own.map((model) => modelCheck(settings, model, open))))];
  };
  return [...(await findings([catalogue])), ...(await Promise.all(providers.map(ofProvider))).flat()];
}

/** The checks of the doctor: the catalogue, and each remote provider. */
export function catalogueChecks(settings: Settings): readonly Check[] {
  try {
    const { providers, models } = readCatalogue(settings);
    const open = (provider: ProviderSettings) => openProvider(settings, provider);
    return [
      ['models', async () => `${models.length} models are in the catalogue`],
      ...providers.map((provider) => providerCheck(provider, open)),
    ];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return [['models', () => Promise.reject(new Ill(error.message, 'correct the catalogue that MODELS_FILE names'))]];
  }
}

function providerCheck(settings: ProviderSettings, open: Open): Check {
  return [`provider ${settings.id}`, async () => describe(await healthOf(settings, null, open))];
}

function modelCheck(settings: ProviderSettings, model: Model, open: Open): Check {
  return [`model ${model.id}`, async () => describe(await healthOf(settings, model, open))];
}

async function healthOf(settings: ProviderSettings, model: Model | null, open: Open): Promise<ProviderHealth> {
  const provider = await open(settings);
  return provider.health(model, AbortSignal.timeout(TIMEOUT_MS));
}

/** @throws Ill */
function describe({ isReachable, isKeyAccepted, hasTarget, remedy }: ProviderHealth): string {
  const advice = remedy ?? 'see the documents of the vendor';
  demand(isReachable, 'can not be reached', advice);
  demand(isKeyAccepted !== false, 'refuses the key', advice);
  demand(hasTarget !== false, 'does not have the target', advice);
  demand(remedy === null, 'is not as it should be', advice);
  const key = isKeyAccepted === null ? '' : ', the key is accepted';
  const target = hasTarget === null ? '' : ', the target is there';
  return `reachable${key}${target}`;
}

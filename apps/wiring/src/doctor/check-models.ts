import { knownEndOf } from '#adapters/providers';
import {
  costText,
  dueWarnings,
  resolveModel,
  type Catalogue,
  type FollowedModel,
  type FollowedProvider,
  type Model,
  type ProviderSettings,
} from '#catalogue';
import { SettingsError, type Settings } from '#config';
import type { ProviderHealth, RemoteProvider } from '#generation';
import { systemClock } from '#kernel';
import { openProvider, readCatalogue } from '../catalogue.ts';
import { demand, findings, Ill, type Check, type Finding } from './check.ts';

/** Time limit of each health check. */
const TIMEOUT_MS = 30_000;

type Open = (settings: ProviderSettings) => Promise<Pick<RemoteProvider, 'health'>>;

/** Input of `checkModels`: a catalogue, and the entries that operators have added. */
export interface ExaminedCatalogue {
  readonly entries: Catalogue;
  readonly providers: readonly FollowedProvider[];
  readonly models: readonly FollowedModel[];
  /** The ids of the models that their vendors no longer have. */
  readonly gone: ReadonlyMap<string, Date>;
}

/** A catalogue that operators can't add to. */
export function fixedCatalogue(entries: Catalogue): ExaminedCatalogue {
  return { entries, providers: [], models: [], gone: new Map() };
}

/** Checks the added entries, each provider and, if it is healthy, the targets of its models. */
export async function checkModels(examined: ExaminedCatalogue, open: Open): Promise<readonly Finding[]> {
  const { providers, models } = examined.entries;
  const catalogue: Check = ['catalogue', async () => `${models.length} models, ${providers.length} remote providers`];
  const ofProvider = async (settings: ProviderSettings): Promise<readonly Finding[]> => {
    const own = models.filter(({ provider }) => provider === settings.id);
    const found = await findings([providerCheck(settings, open)]);
    if (found.some(({ state }) => state === 'ill')) return found;
    return [...found, ...(await findings(own.map((model) => modelCheck(settings, model, open))))];
  };
  return [
    ...(await findings([catalogue, ...addedChecks(examined), ...lifeChecks(examined, systemClock.now())])),
    ...(await Promise.all(providers.map(ofProvider))).flat(),
  ];
}

/**
 * The checks of the doctor: the catalogue, the added entries, and each remote provider.
 *
 * @param readWhole reads the catalogue with the added entries
 */
export async function catalogueChecks(
  settings: Settings,
  readWhole: () => Promise<ExaminedCatalogue>,
): Promise<readonly Check[]> {
  try {
    const fixed = fixedCatalogue(readCatalogue(settings));
    const unread: Check[] = [];
    const examined = await readWhole().catch((error: unknown) => {
      unread.push(['added models', () => Promise.reject(error as Error)]);
      return fixed;
    });
    const { providers, models } = examined.entries;
    const open = (provider: ProviderSettings) => openProvider(settings, provider);
    return [
      ['models', async () => `${models.length} models are in the catalogue`],
      ...unread,
      ...addedChecks(examined),
      ...lifeChecks(examined, systemClock.now()),
      ...providers.map((provider) => providerCheck(provider, open)),
    ];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return [['models', () => Promise.reject(new Ill(error.message, 'correct the catalogue that MODELS_FILE names'))]];
  }
}

/** The added entries that can't be used. Other entries work without them. */
function addedChecks({ providers, models }: ExaminedCatalogue): readonly Check[] {
  const closed = providers.flatMap(({ added: { id }, problem }): Check[] => {
    if (problem === null) return [];
    return [[`provider ${id}`, () => Promise.reject(new Ill(problem, 'open the provider and enter its key again'))]];
  });
  const invalid = models.flatMap(({ added: { id }, problems }): Check[] => {
    const [first] = Object.entries(problems);
    if (!first) return [];
    const [field, messages] = first;
    const finding = `${field || 'the entry'} ${messages.join('; ')}`;
    return [
      [`model ${id}`, () => Promise.reject(new Ill(finding, 'it is not offered: change the entry, or delete it'))],
    ];
  });
  return [...closed, ...invalid];
}

/** Models that end soon, have ended or are gone, or have an announced end that their entry does not have. */
export function lifeChecks(
  { entries, gone }: Pick<ExaminedCatalogue, 'entries' | 'gone'>,
  now: Date,
): readonly Check[] {
  const { models: all, providers } = entries;
  const warned = new Set(dueWarnings({ all, gone }, now).map(({ model }) => model.id));
  return all.flatMap(({ id, provider, target, retiresAt, successor: named }): readonly Check[] => {
    const { state, successor } = resolveModel(id, { all, gone }, now);
    const since = gone.get(id);
    const type = providers.find((each) => each.id === provider)?.type;
    const announced = type !== undefined && retiresAt === null && knownEndOf(type, target);
    const end = since
      ? `its vendor has had no such model since ${since.toISOString()}`
      : state === 'retired' || warned.has(id)
        ? `ends at ${retiresAt!.toISOString()}`
        : announced && `its vendor has announced its end for ${announced.retiresAt}, and the entry has no retires_at`;
    if (!end) {
      const isAwaited = named !== null && state === 'ok' && !successor;
      return isAwaited ? [[`end of ${id}`, async () => `the successor ${named} cannot take its calls yet`]] : [];
    }
    const advice = 'name a successor of the same kind that is offered, or correct the entry and try it';
    const check = async () => {
      demand(successor !== null && !announced, successor ? end : `${end}; no model takes its calls`, advice);
      return `${end}; ${successor!.id} takes its calls, at ${costText(successor!.cost)} credits`;
    };
    return [[`end of ${id}`, check]];
  });
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
  demand(isReachable, 'cannot be reached', advice);
  demand(isKeyAccepted !== false, 'refuses the key', advice);
  demand(hasTarget !== false, 'does not have the target', advice);
  demand(remedy === null, 'is not as it should be', advice);
  const key = isKeyAccepted === null ? '' : ', the key is accepted';
  const target = hasTarget === null ? '' : ', the target is there';
  return `reachable${key}${target}`;
}

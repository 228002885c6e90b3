import { Command } from 'commander';
import { costText, INPUT_NAMES, type Model } from '#catalogue';
import type { Settings } from '#config';
import { Trials } from '#generation';
import {
  checkModels,
  fixedCatalogue,
  GenerationModule,
  objectStorage,
  openProvider,
  postgres,
  readCatalogue,
  readWholeCatalogue,
  sealer,
} from '#wiring';
import { tryModel, type TrialOptions } from '../models/try-model.ts';
import type { Service, Session } from '../session.ts';
import type { Row } from '../table.ts';

export function modelsCommand(session: Session): Command {
  const models = new Command('models').description('The catalogue of models, and its providers.');

  models
    .command('list')
    .description('lists the models on offer; models of the provider `local` only if they fit the machine')
    .action(
      session.runIfUp(async (settings, service) => (await catalogueOf(settings, service)).entries.models.map(modelRow)),
    );

  models
    .command('check')
    .description('checks the catalogue, and the health and targets of each provider; fails on any problem')
    .action(
      session.runIfUp(
        async (settings, service) =>
          checkModels(await catalogueOf(settings, service), (provider) => openProvider(settings, provider)),
        (found) => found.some(({ state }) => state === 'ill'),
      ),
    );

  models
    .command('try')
    .description(
      'has the service run a model once, and copies its outputs into a folder; the vendor bills it, no credits are charged',
    )
    .argument('<id>', 'id of the model')
    .option('--prompt <text>', 'what to make')
    .option('--image <file>', 'input image')
    .option('--style <file>', 'style reference')
    .option('--reference <file>', 'further reference, can be repeated', collect)
    .option('--mask <file>', 'mask image')
    .option('--control <file>', 'control image')
    .option('--set <name=value>', 'a parameter, can be repeated', collect)
    .option('--folder <path>', 'where the outputs go (default: a new temporary folder)')
    .action(
      session.run(
        ({ get }, id: string, options: TrialOptions) =>
          tryModel({ trials: get(Trials), storage: get(objectStorage) }, id, options),
        () => false,
        [GenerationModule],
      ),
    );

  return models;
}

function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

function modelRow({ id, kind, provider, target, cost, inputs, parameters }: Model): Row {
  const taken = INPUT_NAMES.filter((name) => inputs[name] !== 'none');
  return {
    id,
    kind,
    provider,
    target,
    cost: costText(cost),
    inputs: taken.map((name) => (inputs[name] === 'required' ? name : `${name}?`)).join(' ') || null,
    parameters: Object.keys(parameters).join(' ') || null,
  };
}

/** The catalogue, with the entries that operators have added where the database can be reached. */
async function catalogueOf(settings: Settings, service: Service | null) {
  if (!service) return fixedCatalogue(readCatalogue(settings));
  return readWholeCatalogue(settings, service.get(postgres).database, service.get(sealer));
}

import { Command } from 'commander';
import type { Settings } from '#config';
import { createProviders } from '#adapters/providers';
import { INPUT_NAMES, ModelCatalog, type Model } from '#generation';
import { checkModels, openProvider, readCatalogue } from '#wiring';
import { runLocally, runRemotely, tryModel, type Trial } from '../models/try-model.ts';
import type { Session } from '../session.ts';
import type { Row } from '../table.ts';

export function modelsCommand(session: Session): Command {
  const models = new Command('models').description('The catalogue of models, and its providers.');

  models
    .command('list')
    .description('lists the models on offer; models of the provider `local` only if they fit the machine')
    .action(session.runWithSettings(async (settings) => readCatalogue(settings).models.map(modelRow)));

  models
    .command('check')
    .description('checks the catalogue, and the health and targets of each provider; fails on any problem')
    .action(
      session.runWithSettings(
        (settings) => checkModels(readCatalogue(settings), (provider) => openProvider(settings, provider)),
        (found) => found.some(({ state }) => state === 'ill'),
      ),
    );

  models
    .command('try')
    .description('runs a model once and keeps its outputs in a folder; the vendor bills it, no credits are charged')
    .argument('<id>', 'id of the model')
    .option('--prompt <text>', 'what to make')
    .option('--image <file>', 'input image')
    .option('--style <file>', 'style reference')
    .option('--reference <file>', 'further reference, can be repeated', collect)
    .option('--mask <file>', 'mask image')
    .option('--control <file>', 'control image')
    .option('--set <name=value>', 'a parameter, can be repeated', collect)
    .option('--folder <path>', 'where the outputs go (default: a new temporary folder)')
    .action(session.runWithSettings((settings, id: string, trial: Trial) => tryOut(settings, id, trial)));

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

function costText({ credits, parameter, per }: Model['cost']): string {
  const unit = per === 'second' ? ' per second' : '';
  if (typeof credits === 'number') return `${credits}${unit}`;
  const amounts = Object.entries(credits).map(([value, amount]) => `${value}: ${amount}`);
  return `${amounts.join(', ')} by ${parameter}${unit}`;
}

async function tryOut(settings: Settings, id: string, trial: Trial): Promise<readonly Row[]> {
  const { models, providers } = readCatalogue(settings);
  const model = new ModelCatalog(models).get(id);
  const remote = providers.find((provider) => provider.id === model.provider);
  if (remote) {
    const provider = await openProvider(settings, remote);
    return tryModel(model, trial, (task) => runRemotely(provider, task));
  }
  const [local] = await createProviders(() => undefined, settings.models);
  return tryModel(model, trial, (task) => runLocally(local!, task));
}

import { randomUUID } from 'node:crypto';
import { Inject, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Registry } from 'prom-client';
import { AjvParameterCheck, type Catalog } from '#adapters/catalog';
import { MagicFileTypes } from '#adapters/images';
import { isPublicUrl, mayCall } from '#adapters/outgoing-http';
import {
  Database,
  PostgresDeliveries,
  PostgresGenerations,
  PostgresGenerationSignals,
  PostgresGenerationViews,
  PostgresPersonaSlots,
  PostgresSubmissions,
  PostgresWebhookSecrets,
} from '#adapters/postgres';
import { createProviders } from '#adapters/providers';
import { Files, StoredUrls } from '#files';
import {
  GenerationResults,
  GenerationRuns,
  Generations,
  GenerationWatch,
  IncomingWebhooks,
  InputFiles,
  ModelCatalog,
  OutputFiles,
  RemoteRuns,
  RunWatches,
  SubmissionCanceling,
  SubmissionChecks,
  DownloadLimiter,
  downloadLimits,
  type GenerationProvider,
  type GenerationViews,
  type Model,
  type RemoteProvider,
  type SubmissionReporter,
  type VendorWebhooks,
} from '#generation';
import { Personas } from '#persona';
import { DerivedFiles, Sources } from '#sources';
import { Deliveries, SigningSecrets, type DeliveryViews } from '#webhooks';
import { readCatalogue } from './catalogue.ts';
import { CreditsModule } from './credits.module.ts';
import { DefaultPersonaModule, personaStore } from './default-persona.module.ts';
import { FilesModule, storageSpace } from './files.module.ts';
import { plans, tokenStore } from './identity.module.ts';
import { MeasuredCreditLedger } from './metrics/measured-credit-ledger.ts';
import { measureProviders } from './metrics/measured-provider.ts';
import { measureSubmissions } from './metrics/measure-submissions.ts';
import { auditLog, clock, jobs, postgres, settings, tracing, unitOfWork } from './platform.ts';
import { rateCounters } from './rate-counters.ts';
import { openProviders } from './remote-providers.ts';
import { provide, provideAs, provideMade, provideStores, provideWith, SharedModule, token } from './provide.ts';
import { traceProviders } from './traces.ts';
import { maxBytes, SourcesModule, temporaryFolders } from './sources.module.ts';

const generationProviders = token<readonly GenerationProvider[]>('GenerationProviders');
/** The vendors of the catalogue. */
const remoteProviders = token<readonly RemoteProvider[]>('RemoteProviders');
const submissionReporter = token<SubmissionReporter>('SubmissionReporter');
const vendorWebhooks = token<VendorWebhooks>('VendorWebhooks');
const newKey = token<() => string>('NewKey');
/** The models and their providers, read once in each process. */
export const catalogue = token<Catalog>('Catalogue');
export const generationViews = token<GenerationViews>('GenerationViews');
export const deliveryViews = token<DeliveryViews>('DeliveryViews');
const mayCallUrl = token<(url: string) => boolean>('MayCallUrl');
const publicUrlOf = token<(key: string) => string | null>('PublicUrlOf');
const logger = new Logger('GenerationProviders');

/** Generations without their runs. */
@SharedModule(
  [CreditsModule, DefaultPersonaModule, FilesModule],
  provideMade(generationProviders, [settings, Registry, tracing], async ({ models }, registry, traces) => {
    const warn = (message: string): void => logger.warn(message);
    return measureProviders(traceProviders(await createProviders(warn, models), traces), registry);
  }),
  provideMade(catalogue, [settings, AjvParameterCheck], readCatalogue),
  provideMade(ModelCatalog, [catalogue, generationProviders], ({ models }, local) => {
    const isAvailable = ({ provider, target }: Model) => {
      const own = local.find(({ id }) => id === provider);
      return !own || own.models.some((model) => model.target === target);
    };
    return new ModelCatalog(models, isAvailable);
  }),
  provide(AjvParameterCheck),
  provideMade(remoteProviders, [settings, catalogue, rateCounters, Registry, tracing], openProviders),
  ...provideStores(PostgresGenerations, PostgresPersonaSlots, PostgresDeliveries, PostgresWebhookSecrets),
  provide(PostgresSubmissions, Database, tracing),
  provideAs(deliveryViews, PostgresDeliveries, Database),
  provide(SigningSecrets, PostgresWebhookSecrets, auditLog, unitOfWork, clock),
  provideWith(Deliveries, { deliveries: PostgresDeliveries, jobs, unitOfWork, clock }),
  provideAs(generationViews, PostgresGenerationViews, Database),
  provideMade(PostgresGenerationSignals, [postgres], ({ pool }) => new PostgresGenerationSignals(pool)),
  provideMade(
    mayCallUrl,
    [settings],
    ({ fetch }) =>
      (url: string) =>
        mayCall(url, fetch.allowedHosts),
  ),
  provideWith(Generations, {
    models: ModelCatalog,
    parameterCheck: AjvParameterCheck,
    personaSlots: PostgresPersonaSlots,
    personas: Personas,
    files: Files,
    urls: StoredUrls,
    mayCall: mayCallUrl,
    store: PostgresGenerations,
    webhooks: Deliveries,
    ledger: MeasuredCreditLedger,
    plans,
    tokens: tokenStore,
    space: storageSpace,
    jobs,
    unitOfWork,
    clock,
  }),
  provideWith(IncomingWebhooks, { remotes: remoteProviders, submissions: PostgresSubmissions, clock }),
  provide(GenerationWatch, PostgresGenerationSignals, generationViews),
  provide(GenerationResults, generationViews, StoredUrls, Files),
)
export class GenerationModule implements BeforeApplicationShutdown {
  constructor(@Inject(PostgresGenerationSignals) private readonly signals: PostgresGenerationSignals) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.signals.close();
  }
}

/** Runs of generations. Only the worker imports it. */
@SharedModule(
  [GenerationModule, SourcesModule],
  provideWith(OutputFiles, { derived: DerivedFiles, fileTypes: MagicFileTypes, folders: temporaryFolders, maxBytes }),
  provideMade(publicUrlOf, [StoredUrls], (urls) => (key: string) => {
    const url = urls.urlOf(key);
    return isPublicUrl(url) ? url : null;
  }),
  provideWith(InputFiles, { sources: Sources, urls: StoredUrls, publicUrlOf }),
  provideMade(vendorWebhooks, [settings], ({ http }) => webhooksAt(http.publicUrl)),
  provideMade(newKey, [], () => randomUUID),
  provideMade(submissionReporter, [Registry], measureSubmissions),
  provide(RunWatches, PostgresGenerations),
  provideMade(
    DownloadLimiter,
    [settings],
    ({ worker }) => new DownloadLimiter(downloadLimits(worker.concurrency).perVendor),
  ),
  provideWith(RemoteRuns, {
    submissions: PostgresSubmissions,
    remotes: remoteProviders,
    inputs: InputFiles,
    outputs: OutputFiles,
    watches: RunWatches,
    downloads: DownloadLimiter,
    folders: temporaryFolders,
    webhooks: vendorWebhooks,
    newKey,
    report: submissionReporter,
    clock,
  }),
  provideWith(SubmissionChecks, {
    submissions: PostgresSubmissions,
    remotes: remoteProviders,
    webhooks: vendorWebhooks,
    jobs,
    unitOfWork,
    report: submissionReporter,
    clock,
  }),
  provideWith(SubmissionCanceling, {
    store: PostgresGenerations,
    submissions: PostgresSubmissions,
    models: ModelCatalog,
    remotes: remoteProviders,
    report: submissionReporter,
    clock,
  }),
  provideWith(GenerationRuns, {
    generations: Generations,
    store: PostgresGenerations,
    models: ModelCatalog,
    providers: generationProviders,
    remoteRuns: RemoteRuns,
    watches: RunWatches,
    inputs: InputFiles,
    outputs: OutputFiles,
    personas: personaStore,
    folders: temporaryFolders,
    unitOfWork,
    clock,
  }),
)
export class GenerationRunsModule {}

/** Providers call `POST /v2/providers/:id/webhook` if the service has a public URL. */
function webhooksAt(publicUrl: string): VendorWebhooks {
  const isPublic = isPublicUrl(publicUrl);
  return {
    isPublic,
    urlFor: (providerId, requestKey) =>
      isPublic ? `${publicUrl}/v2/providers/${encodeURIComponent(providerId)}/webhook?key=${requestKey}` : null,
  };
}

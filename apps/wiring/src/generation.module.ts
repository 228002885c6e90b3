import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { AjvParameterCheck } from '#adapters/catalog';
import { MagicFileTypes } from '#adapters/images';
import { isPublicUrl, mayCall } from '#adapters/outgoing-http';
import {
  Database,
  PostgresBatches,
  PostgresBatchViews,
  PostgresDeliveries,
  PostgresEndpoints,
  PostgresGenerations,
  PostgresGenerationViews,
  PostgresPersonaSlots,
  PostgresPresets,
  PostgresSignals,
  PostgresStyles,
  PostgresStyleViews,
  PostgresSubmissions,
  PostgresTrials,
  PostgresWebhookSecrets,
} from '#adapters/postgres';
import { BatchEnds, type BatchViews } from '#batch';
import { CatalogueChanges, GoneModels, LiveCatalogue } from '#catalogue';
import { Files, StoredUrls, WorkspaceUrls, type Marking } from '#files';
import {
  GenerationResults,
  GenerationRuns,
  Generations,
  GenerationWatch,
  IncomingWebhooks,
  InputFiles,
  OutputFiles,
  RemoteRuns,
  RunWatches,
  StylePreviews,
  Presets,
  Styles,
  SubmissionCanceling,
  SubmissionChecks,
  DownloadLimiter,
  downloadLimits,
  TrialRuns,
  Trials,
  type GenerationViews,
  type PresetViews,
  type ProvenanceRules,
  type StyleViews,
  type SubmissionReporter,
  type VendorWebhooks,
} from '#generation';
import { Personas } from '#persona';
import { DerivedFiles, Sources } from '#sources';
import { Deliveries, Endpoints, SigningSecrets, type DeliveryViews, type EndpointStore } from '#webhooks';
import { CatalogueModule, generationProviders, models, remoteProviders } from './catalogue.module.ts';
import { CreditsModule } from './credits.module.ts';
import { DefaultPersonaModule, personaStore } from './default-persona.module.ts';
import { FilesModule, storageSpace } from './files.module.ts';
import { eventLog, EventsModule } from './events.module.ts';
import { plans, tokenStore } from './identity.module.ts';
import { MeasuredCreditLedger } from './metrics/measured-credit-ledger.ts';
import { measureMarks } from './metrics/measure-marks.ts';
import { measureSubmissions } from './metrics/measure-submissions.ts';
import { auditLog, clock, jobs, settings, tracing, unitOfWork } from './platform.ts';
import { provide, provideAs, provideMade, provideStores, provideWith, SharedModule, token } from './provide.ts';
import { SignalsModule } from './signals.module.ts';
import { maxBytes, SourcesModule, temporaryFolders } from './sources.module.ts';
import { objectStorage } from './storage.module.ts';

const provenanceRules = token<ProvenanceRules>('ProvenanceRules');
const markingReporter = token<(marking: Marking) => void>('MarkingReporter');
const submissionReporter = token<SubmissionReporter>('SubmissionReporter');
const vendorWebhooks = token<VendorWebhooks>('VendorWebhooks');
const newKey = token<() => string>('NewKey');
const uptime = token<() => number>('Uptime');
export const generationViews = token<GenerationViews>('GenerationViews');
export const presetViews = token<PresetViews>('PresetViews');
export const batchViews = token<BatchViews>('BatchViews');
export const styleViews = token<StyleViews>('StyleViews');
export const deliveryViews = token<DeliveryViews>('DeliveryViews');
export const endpointStore = token<EndpointStore>('EndpointStore');
export const mayCallUrl = token<(url: string) => boolean>('MayCallUrl');
/** `null` unless the operator has switched them on. */
const stylePreviews = token<StylePreviews | null>('StylePreviews');
const publicUrlOf = token<(workspaceId: number, key: string) => Promise<string | null>>('PublicUrlOf');
const signedUrlOf = token<(key: string) => Promise<string | null>>('SignedUrlOf');

/** How long vendors can fetch the weights of a style. */
const SIGNED_MS = 3_600_000;

/** Generations without their runs. */
@SharedModule(
  [CatalogueModule, CreditsModule, DefaultPersonaModule, EventsModule, FilesModule, SignalsModule],
  provideMade(newKey, [], () => randomUUID),
  provideWith(Trials, {
    catalogue: LiveCatalogue,
    changes: CatalogueChanges,
    parameterCheck: AjvParameterCheck,
    trials: PostgresTrials,
    auditLog,
    newKey,
    jobs,
    unitOfWork,
    clock,
  }),
  ...provideStores(
    PostgresGenerations,
    PostgresBatches,
    PostgresPersonaSlots,
    PostgresPresets,
    PostgresStyles,
    PostgresTrials,
    PostgresDeliveries,
    PostgresWebhookSecrets,
  ),
  provide(PostgresSubmissions, Database, tracing),
  provideAs(deliveryViews, PostgresDeliveries, Database),
  provideAs(endpointStore, PostgresEndpoints, Database),
  provide(SigningSecrets, PostgresWebhookSecrets, auditLog, unitOfWork, clock),
  provideWith(Deliveries, { deliveries: PostgresDeliveries, endpoints: endpointStore, jobs, unitOfWork, clock }),
  provideWith(Endpoints, {
    endpoints: endpointStore,
    deliveries: Deliveries,
    events: eventLog,
    mayCall: mayCallUrl,
    auditLog,
    unitOfWork,
    clock,
  }),
  provideAs(generationViews, PostgresGenerationViews, Database),
  provideAs(styleViews, PostgresStyleViews, Database),
  provideAs(presetViews, PostgresPresets, Database),
  provideWith(Presets, {
    models,
    parameterCheck: AjvParameterCheck,
    presets: PostgresPresets,
    personas: personaStore,
    urls: StoredUrls,
    auditLog,
    unitOfWork,
    clock,
  }),
  provideAs(batchViews, PostgresBatchViews, Database),
  provideWith(BatchEnds, { batches: PostgresBatches, events: eventLog }),
  provideWith(Styles, {
    models,
    parameterCheck: AjvParameterCheck,
    styles: PostgresStyles,
    personas: personaStore,
    generations: Generations,
    mayCall: mayCallUrl,
    space: storageSpace,
    jobs,
    auditLog,
    unitOfWork,
    clock,
  }),
  provideMade(
    mayCallUrl,
    [settings],
    ({ fetch }) =>
      (url: string) =>
        mayCall(url, fetch.allowedHosts),
  ),
  provideMade(
    stylePreviews,
    [settings, models, AjvParameterCheck, PostgresGenerations, PostgresStyles, MeasuredCreditLedger, jobs, clock],
    (configured, offered, parameterCheck, store, styles, ledger, queue, time) =>
      configured.models.stylePreviews
        ? new StylePreviews({ models: offered, parameterCheck, store, styles, ledger, jobs: queue, clock: time })
        : null,
  ),
  provideWith(Generations, {
    models,
    goneModels: GoneModels,
    presets: PostgresPresets,
    parameterCheck: AjvParameterCheck,
    personaSlots: PostgresPersonaSlots,
    personas: Personas,
    files: Files,
    urls: StoredUrls,
    mayCall: mayCallUrl,
    store: PostgresGenerations,
    styles: PostgresStyles,
    stylePreviews,
    batches: BatchEnds,
    events: eventLog,
    ledger: MeasuredCreditLedger,
    plans,
    tokens: tokenStore,
    space: storageSpace,
    jobs,
    unitOfWork,
    clock,
  }),
  provideWith(IncomingWebhooks, { remotes: remoteProviders, submissions: PostgresSubmissions, clock }),
  provide(GenerationWatch, PostgresSignals, generationViews),
  provide(GenerationResults, generationViews, WorkspaceUrls, Files),
)
export class GenerationModule {}

/** Runs of generations. Only the worker imports it. */
@SharedModule(
  [GenerationModule, SourcesModule],
  provideMade(provenanceRules, [settings], ({ provenance }) => provenance),
  provideMade(markingReporter, [Registry], measureMarks),
  provideWith(OutputFiles, {
    derived: DerivedFiles,
    fileTypes: MagicFileTypes,
    folders: temporaryFolders,
    maxBytes,
    provenance: provenanceRules,
    report: markingReporter,
  }),
  provideMade(publicUrlOf, [WorkspaceUrls], (urls) => async (workspaceId: number, key: string) => {
    const url = (await urls.of(workspaceId, { seconds: SIGNED_MS / 1000 })).urlOf(key);
    return isPublicUrl(url) ? url : null;
  }),
  provideWith(InputFiles, {
    sources: Sources,
    urls: StoredUrls,
    publicUrlOf,
    signedUrlOf,
    files: Files,
    storage: objectStorage,
    folders: temporaryFolders,
  }),
  provideMade(signedUrlOf, [objectStorage, clock], (storage, time) => async (key: string) => {
    const url = await storage.signGet(key, new Date(time.now().getTime() + SIGNED_MS));
    return isPublicUrl(url) ? url : null;
  }),
  provideMade(vendorWebhooks, [settings], ({ http }) => webhooksAt(http.publicUrl)),
  provideMade(submissionReporter, [Registry], measureSubmissions),
  provide(RunWatches, PostgresGenerations),
  provideMade(DownloadLimiter, [settings], ({ worker }) => new DownloadLimiter(downloadLimits(worker.concurrency))),
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
    uptime,
  }),
  provideMade(uptime, [], () => () => performance.now() / 1000),
  provideWith(SubmissionCanceling, {
    store: PostgresGenerations,
    submissions: PostgresSubmissions,
    models,
    remotes: remoteProviders,
    report: submissionReporter,
    clock,
  }),
  provideWith(TrialRuns, {
    catalogue: LiveCatalogue,
    changes: CatalogueChanges,
    providers: generationProviders,
    remotes: remoteProviders,
    trials: PostgresTrials,
    goneModels: GoneModels,
    sources: Sources,
    outputs: OutputFiles,
    folders: temporaryFolders,
    storage: objectStorage,
    newKey,
    unitOfWork,
    clock,
  }),
  provideWith(GenerationRuns, {
    generations: Generations,
    store: PostgresGenerations,
    models,
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

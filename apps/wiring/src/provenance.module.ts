import { existsSync, readFileSync } from 'node:fs';
import { Inject, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { C2paManifests, KeptSigner, type SigningFiles } from '#adapters/c2pa';
import type { Settings } from '#config';
import type { Clock } from '#kernel';
import { RELEASE } from '#process';
import { clock, settings } from './platform.ts';
import { provideMade, SharedModule } from './provide.ts';

const logger = new Logger('Provenance');

/** The files of the settings, else those of `provenance init`. */
export function signingFilesOf({ provenance, data }: Pick<Settings, 'provenance' | 'data'>): SigningFiles {
  return {
    keyFile: provenance.keyFile ?? data.provenanceKey,
    certificateFile: provenance.certificateFile ?? data.provenanceCertificate,
  };
}

/** Signed manifests in the bytes of files. */
@SharedModule(
  [],
  provideMade(KeptSigner, [settings, clock, Registry], keptSigner),
  provideMade(C2paManifests, [settings, KeptSigner], (values, signer) => {
    const { mode, trustFile, name } = values.provenance;
    return new C2paManifests({
      signer,
      signs: mode === 'sign',
      generator: { name, version: RELEASE.version },
      trusted: trustFile === null || !existsSync(trustFile) ? '' : readFileSync(trustFile, 'utf8'),
      onFailure: (reason) => logger.warn(`a file is not signed: ${reason}`),
    });
  }),
)
export class ProvenanceModule implements OnApplicationShutdown {
  constructor(@Inject(C2paManifests) private readonly manifests: C2paManifests) {}

  onApplicationShutdown(): void {
    this.manifests.close();
  }
}

function keptSigner(values: Settings, time: Clock, registry: Registry): KeptSigner {
  const isNeeded = values.provenance.mode === 'sign';
  const signer = new KeptSigner(signingFilesOf(values), time, (reason) => {
    if (isNeeded) logger.warn(`outputs are marked without a signature: ${reason}`);
  });
  measureSigner(isNeeded ? signer : null, registry);
  return signer;
}

/** @param signer `null` where the operator wants no signatures */
function measureSigner(signer: KeptSigner | null, registry: Registry): void {
  new Gauge({
    name: 'x12_provenance_certificate_expires_timestamp_seconds',
    help: 'When the certificate that signs outputs expires; 0 while outputs are not signed.',
    registers: [registry],
    async collect() {
      const usable = await signer?.get().catch(() => null);
      this.set(usable ? usable.expiresAt.getTime() / 1000 : 0);
    },
  });
}

import { join } from 'node:path';
import { Registry } from 'prom-client';
import { C2paManifests } from '#adapters/c2pa';
import { PictureProcesses, SharpPictures } from '#adapters/images';
import { PostgresVariantRecords } from '#adapters/postgres';
import { DiskTemporaryFolders } from '#adapters/temporary-folders';
import { Files } from '#files';
import { Semaphore } from '#kernel';
import { copySigner, type PictureDerivatives, type Pictures, type TemporaryFolders } from '#sources';
import { Variants, type PictureTransforms } from '#transformation';
import { FilesModule } from './files.module.ts';
import { measureVariants } from './metrics/measure-variants.ts';
import { clock, jobs, settings, unitOfWork } from './platform.ts';
import { provideFrom, provideMade, provideStores, SharedModule, token } from './provide.ts';
import { ProvenanceModule } from './provenance.module.ts';
import { objectStorage } from './storage.module.ts';

/** Pictures that wait for each place: some seconds. More would wait for longer than clients do. */
const WAITING_FOR_A_PLACE = 8;

export const pictureTransforms = token<
  PictureTransforms & Pick<PictureDerivatives, 'findMark'> & Pick<Pictures, 'examine' | 'mask'>
>('PictureTransforms');
export const variantFolders = token<TemporaryFolders>('VariantFolders');

/** Variants of pictures. Only the API imports it. */
@SharedModule(
  [FilesModule, ProvenanceModule],
  ...provideStores(PostgresVariantRecords),
  provideMade(
    pictureTransforms,
    [settings],
    ({ transformations }) => new SharpPictures(new PictureProcesses({ atOnce: transformations.atOnce })),
  ),
  provideMade(variantFolders, [settings], ({ data }) => new DiskTemporaryFolders(join(data.folder, 'tmp', 'variants'))),
  provideFrom(
    Variants,
    {
      records: PostgresVariantRecords,
      files: Files,
      storage: objectStorage,
      transforms: pictureTransforms,
      manifests: C2paManifests,
      folders: variantFolders,
      jobs,
      unitOfWork,
      clock,
      values: settings,
      registry: Registry,
    },
    ({ values, registry, manifests, ...ports }) => {
      const { atOnce } = values.transformations;
      return new Variants({
        ...ports,
        sign: copySigner(ports.transforms, manifests),
        places: new Semaphore(atOnce, WAITING_FOR_A_PLACE * atOnce),
        label: values.provenance.label,
        maxBytes: values.fetch.maxBytes,
        report: measureVariants(registry),
      });
    },
  ),
)
export class TransformationModule {}

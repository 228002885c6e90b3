import { Module } from '@nestjs/common';
import { CryptoRandomTokens, DiskObjectStorage } from '#adapters/storage';
import type { Settings } from '#config';
import type { Clock } from '#kernel';
import type { ObjectStorage, RandomTokens } from '#upload';
import { clock, settings } from './platform.ts';
import { provideAs, token } from './provide.ts';

export const objectStorage = token<ObjectStorage>('ObjectStorage');
export const randomTokens = token<RandomTokens>('RandomTokens');

/** Where the bytes are. */
@Module({
  providers: [
    { provide: DiskObjectStorage, useFactory: openDiskStorage, inject: [settings, clock] },
    { provide: objectStorage, useExisting: DiskObjectStorage },
    provideAs(randomTokens, CryptoRandomTokens),
  ],
  exports: [DiskObjectStorage, objectStorage, randomTokens],
})
export class StorageModule {}

function openDiskStorage({ data, http, storage }: Settings, time: Clock): DiskObjectStorage {
  return new DiskObjectStorage({
    root: data.files,
    publicUrl: http.publicUrl,
    secret: storage.signingSecret,
    clock: time,
  });
}

import { freeBytesIn } from '#adapters/storage';
import type { Settings } from '#config';
import { demand } from './check.ts';

const MEBIBYTE = 1024 ** 2;

/** The space below DATA_DIR, where files or the database are. */
export async function checkDisk({ data, disk }: Pick<Settings, 'data' | 'disk'>, free = freeBytesIn): Promise<string> {
  const left = await free(data.folder);
  const megabytes = (bytes: number) => `${Math.floor(bytes / MEBIBYTE)} MiB`;
  demand(
    left >= disk.reserveBytes && left > 0,
    `the disk of ${data.folder} has ${megabytes(left)} left, less than DISK_RESERVE_BYTES (${megabytes(disk.reserveBytes)})`,
    'make space: uploads and generations are refused meanwhile',
  );
  return `${megabytes(left)} are left for ${data.folder}`;
}

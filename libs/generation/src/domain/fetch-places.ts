const LEAST_PLACES = 4;

/** Places for fetching outputs. */
export interface FetchPlaces {
  /** Of one worker. */
  readonly all: number;
  /** Of those, for one vendor. */
  readonly ofVendor: number;
  /** Of those of all workers, for one workspace. */
  readonly ofWorkspace: number;
}

/**
 * Outputs wait for the network most of the time, so they have twice the places of other work. Neither a workspace nor a
 * vendor has them all, and a vendor has more than a workspace: downloads that hang leave places to other vendors, and to
 * other workspaces at the same vendor.
 *
 * @param concurrency jobs that a worker runs at a time
 */
export function fetchPlaces(concurrency: number): FetchPlaces {
  const all = Math.max(LEAST_PLACES, 2 * concurrency);
  return { all, ofVendor: Math.floor((3 * all) / 4), ofWorkspace: all / 2 };
}

import { runningRequest } from './checked-unit-of-work.ts';
import { Waits } from './waits.ts';

/** Counts the time of a call to a vendor or a storage as time that the running request waits, if there is one. */
export async function waiting<T>(call: () => Promise<T>): Promise<T> {
  const request = runningRequest.getStore();
  if (!request) return call();
  const waits = (request.waits ??= new Waits());
  waits.begin();
  try {
    return await call();
  } finally {
    waits.end();
  }
}

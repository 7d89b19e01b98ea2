// Lets virtual time pass until a promise has settled.
import type { VirtualClock } from '../src/base/clock.ts';

export async function driven<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let settled = false;
  const done = (): void => {
    settled = true;
  };
  promise.then(done, done);
  await clock.drive(clock.now() + 86_400_000, () => settled);
  return promise;
}

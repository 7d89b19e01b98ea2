// Invariant: nothing grows without bound, and no secret is exposed.
import { MINUTE, type Millis } from '../../../base/clock.ts';
import type { MakeCheck, Scene } from '../environment/scene.ts';

const MAX_TIMERS = 400;
const MAX_REQUESTS = 100;
const MAX_BYTES = 80 * 2 ** 20;
/** Orders per minute: a run's default limit. */
const MAX_ORDERS = 600;
/** Signed bodies per minute: as many cancels as orders, and some that are tried again. */
const MAX_ACTIONS = 3 * MAX_ORDERS;

export const bounds =
  (secrets: readonly Uint8Array[], printed: readonly string[]) =>
  (scene: Scene): ReturnType<MakeCheck> => {
    const { disk, fail } = scene;
    const actions = new LastMinute();
    const orders = new LastMinute();
    return {
      sent({ action }) {
        const sent = actions.add(scene.now());
        if (sent > MAX_ACTIONS) fail('V20', `${sent} signed bodies within a minute, the last is a ${action.kind}`);
        if (action.kind !== 'placeOrder') return;
        const placed = orders.add(scene.now());
        if (placed > MAX_ORDERS) fail('V20', `${placed} orders within a minute`);
      },
      died({ life }) {
        if (life.most.timers > MAX_TIMERS) fail('V14', `${life.most.timers} timers at one time`);
        if (life.most.requests > MAX_REQUESTS) fail('V14', `${life.most.requests} requests at one time`);
        if (disk.bytes > MAX_BYTES) fail('V14', `${disk.bytes} bytes on disk`);
      },
      quiescent() {
        const files = disk.list().filter((name) => name !== 'session.key');
        const texts = [...printed, ...files.map((name) => Buffer.from(disk.read(name) ?? []).toString('latin1'))];
        for (const secret of secrets) {
          for (const form of formsOf(secret))
            if (texts.some((text) => text.includes(form))) fail('V16', 'a secret key is on disk or was printed');
        }
      },
    };
  };

/** The moments of the last minute. */
class LastMinute {
  #moments: Millis[] = [];
  #first = 0;

  /** Adds a moment and returns how many there are. */
  add(now: Millis): number {
    this.#moments.push(now);
    while ((this.#moments[this.#first] ?? now) < now - MINUTE) this.#first++;
    if (this.#first > 10_000) [this.#moments, this.#first] = [this.#moments.slice(this.#first), 0];
    return this.#moments.length - this.#first;
  }
}

function formsOf(secret: Uint8Array): readonly string[] {
  const bytes = Buffer.from(secret);
  return [
    bytes.toString('latin1'),
    bytes.toString('hex'),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    JSON.stringify([...secret]),
  ];
}

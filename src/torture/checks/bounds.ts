// Nothing grows without end, and no secret gets out.
import type { MakeCheck, Scene } from '../scene.ts';

const MOST_TIMERS = 400;
const MOST_REQUESTS = 100;
const MOST_BYTES = 80 * 2 ** 20;
/** Orders a minute: the limit that a run has unless it is told another. */
const MOST_ORDERS = 600;

export const bounds =
  (secrets: readonly Uint8Array[], told: readonly string[]) =>
  (scene: Scene): ReturnType<MakeCheck> => {
    const { disk, fail } = scene;
    const lately: number[] = [];
    return {
      sent({ action }) {
        if (action.kind !== 'placeOrder') return;
        lately.push(scene.now());
        while ((lately[0] ?? 0) < scene.now() - 60_000) lately.shift();
        if (lately.length > MOST_ORDERS) fail('V20', `${lately.length} orders within a minute`);
      },
      died({ life }) {
        if (life.most.timers > MOST_TIMERS) fail('V14', `${life.most.timers} timers at one time`);
        if (life.most.requests > MOST_REQUESTS) fail('V14', `${life.most.requests} requests at one time`);
        if (disk.size > MOST_BYTES) fail('V14', `${disk.size} bytes on disk`);
      },
      quiescent() {
        const files = disk.list().filter((name) => name !== 'session.key');
        const texts = [...told, ...files.map((name) => Buffer.from(disk.read(name) ?? []).toString('latin1'))];
        for (const secret of secrets) {
          for (const form of formsOf(secret))
            if (texts.some((text) => text.includes(form))) fail('V16', 'a secret key is on disk or was told');
        }
      },
    };
  };

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

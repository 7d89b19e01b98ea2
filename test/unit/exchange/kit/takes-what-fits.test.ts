// An exchange takes from the kit only what fits it: the third one has no clock, no sessions and no signed times, and so it has no ladder of times for its
// cancels.
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import { inProcessTransport } from '../../../in-process.ts';
import { thirdClient } from '../../../third-venue/adapter/client.ts';
import { apiOf } from '../../../third-venue/api.ts';
import { keyOf, ThirdExchange } from '../../../third-venue/exchange.ts';
import { EXCHANGES } from '../sending-benches.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const LADDER = 'src/venues/shared/cancel-times.ts';

/** Returns the files that a file loads, directly or through others, relative to the root. */
function loadedBy(file: string): ReadonlySet<string> {
  const found = new Set<string>();
  const left = [join(ROOT, file)];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (found.has(relative(ROOT, path))) continue;
    found.add(relative(ROOT, path));
    const imports = readFileSync(path, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'/gm);
    for (const [, specifier = ''] of imports) left.push(resolve(dirname(path), specifier));
  }
  return found;
}

/** Returns how often a cancel is sent to an exchange that refuses it for this reason. */
async function sent(name: string, reason: string): Promise<number> {
  const { bench, wire, cancel, refusing } = await EXCHANGES[name]!({});
  wire.faultOf = () => ({ reply: refusing(reason) });
  await bench.submit([cancel()], 20_000);
  return wire.sent.length;
}

describe('the third exchange', () => {
  test('loads neither the ladder of times nor a session', () => {
    const loaded = loadedBy('src/venue.ts'); // its adapter imports nothing else
    expect([...loaded].filter((file) => /^src\/venues\/(?!shared|kind)/.test(file))).toEqual([]);
    expect(loaded).not.toContain(LADDER);
    expect(loaded).toContain('src/base/transport/json-request.ts');
    expect(loadedBy('src/venues/hosted/client.ts')).toContain(LADDER);
  });

  test('has nothing to open, no clock, and nothing to observe', () => {
    const clock = new VirtualClock(0);
    const exchange = new ThirdExchange({ clock, rng: rngFrom('kit') });
    const client = thirdClient({
      transport: inProcessTransport({
        handler: apiOf(exchange),
        clock,
        latencyMs: () => 0,
      }),
      clock,
      key: keyOf('bot'),
    });
    for (const part of ['open', 'close', 'clock', 'events', 'observe', 'faults', 'completed', 'isOpen', 'candles', 'refresh'])
      expect(client, part).not.toHaveProperty(part);
  });

  test('gets a cancel once although it refuses its time, where the hosted exchange gets it with other times', async () => {
    expect(await sent('third', 'TOO_OLD')).toBe(1);
    expect(await sent('hosted', 'TIMESTAMP_OUT_OF_THRESHOLD')).toBeGreaterThan(20);
  });
});

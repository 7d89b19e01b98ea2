// The order of a turn that sends: its entries and its actions become durable with one sync, then it is sent, and only then is it shown.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import type { Intent } from '../../../src/bot/domain/intent.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { limitsSchema } from '../../../src/bot/risk/rules.ts';
import { startTrading } from '../../../src/bot/run/core/trading.ts';
import { openState } from '../../../src/bot/run/state/state.ts';
import { MemoryDisk } from '../journal/memory-disk.ts';
import { START } from '../world-builder.ts';
import { SmallExchange } from './fake-venue.ts';

const level = (price: number) => [{ price: ticks(price), size: lots(100) }];
const QUOTE: Intent = { kind: 'quote', market: 0, bids: level(590_000), asks: level(610_000), slack: ticks(0), fillMode: 'POST_ONLY' };

class CountingDisk extends MemoryDisk {
  readonly steps: string[] = [];
  override sync(): void {
    this.steps.push('sync');
  }
}

/** Starts a run whose gateway writes actions ahead unless `fails`, and lets it trade for a while. */
async function stepsOf({ fails = false }: { fails?: boolean } = {}): Promise<{ steps: readonly string[]; disk: CountingDisk }> {
  const clock = new VirtualClock(START);
  const disk = new CountingDisk();
  const state = openState(disk, { clock, started: 'a', randomBelow: () => 1 });
  const venue = new SmallExchange(clock).venue();
  const send = venue.onSubmit;
  venue.onSubmit = (actions) => {
    if (fails) throw new Error('it cannot be encoded');
    state.recordActions(actions.map(({ kind: action, clientOrderId }) => ({ action, clientOrderId })));
    disk.steps.push('sent');
    send(actions);
  };
  const name = { run: 'r', strategy: 's', exchange: 'fake' };
  const limits = limitsSchema.parse({});
  const trading = startTrading({ clock, venue, state, decide: () => [QUOTE], limits, params: {}, seed: 'seed', name });
  trading.run.decided.subscribe(({ actions }) => void (actions.length > 0 && disk.steps.push('decided')));
  trading.run.turns.subscribe(({ actions }) => void (actions.length > 0 && disk.steps.push('shown')));
  await clock.drive(START + 2_000);
  state.close();
  return { steps: disk.steps, disk };
}

test('a turn with actions needs one sync before it is sent, and is shown afterwards', async () => {
  const { steps } = await stepsOf();
  const decided = steps.indexOf('decided');
  expect(steps.slice(decided, decided + 4)).toEqual(['decided', 'sync', 'sent', 'shown']);
});

test('the entries of a turn whose actions cannot be sent are durable too', async () => {
  const { steps, disk } = await stepsOf({ fails: true });
  const decided = steps.indexOf('decided');
  expect(steps.slice(decided, decided + 2)).toEqual(['decided', 'sync']);
  expect(steps).not.toContain('sent');
  expect(disk.text('journal-000001.log')).toContain('"status":"placed"');
});

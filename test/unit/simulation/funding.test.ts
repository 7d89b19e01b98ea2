// The invariant of funding: passes what the exchange has paid, and reports any other sum.
import { expect, test } from 'vitest';
import { Exchange } from '../../../src/embedded/exchange/exchange.ts';
import { LISTED_MARKETS } from '../../../src/embedded/exchange/state/listing.ts';
import type { Process, Scene } from '../../../src/research/simulation/environment/scene.ts';
import { funding } from '../../../src/research/simulation/invariants/funding.ts';
import { optionsOf } from '../../../src/research/simulation/plan/options.ts';

const [MARKET] = new Exchange({ seed: 's', start: 0, markets: LISTED_MARKETS.slice(0, 1), flow: false }).markets;

const account = (updateId: string, size: number) => ({ kind: 'accountSeen', account: { updateId, positions: [{ market: 0, size }] } });

interface Run {
  /** What the run books of the 40,000 micros that it paid. */
  readonly booked: number;
  /** The sizes of the accounts before and after the payment. */
  readonly seen?: readonly [before: number, after: number];
}

/** The account held 40 lots at the only payment, of 10 quote units on a unit of base: 40 lots of 0.0001 paid 40,000 micros. */
function complaintsAbout({ booked, seen: [before, after] = [10, 50] }: Run): readonly string[] {
  const complaints: string[] = [];
  const trade = { market: 0, takerId: 3, makerId: 1, takerSide: 'bid' };
  const trades = [
    { ...trade, actionId: '2', size: 10 },
    { ...trade, actionId: '4', size: 30 },
    { ...trade, actionId: '6', size: 10 },
  ];
  const records = {
    fundingPayments: () => [{ time: 5, market: 0, rate: 0.001, payment: 40_000 }],
    fundingHours: () => [{ time: 5, market: 0, index: 10, action: 5 }],
  };
  const scene = {
    venue: {
      account: 3,
      actionOf: Number,
      exchange: { now: () => 0, markets: [MARKET], records },
      truth: { openings: new Map(), undone: { trades: new Set() }, trades: () => trades },
    },
    now: () => 0,
    record: { losses: 0, toleratedTrades: new Set() },
    tolerated: { unseen: new Map() },
    faults: { of: () => [] },
    fail: (invariant: string, message: string) => complaints.push(`${invariant} ${message}`),
  };
  const run = { world: { accounting: { profit: { funding: { total: booked } } } } };
  const process = { trading: { run, summary: () => ({ funding: `${booked / 1e6}` }) } } as unknown as Process;
  const check = funding(scene as unknown as Scene);
  check.started?.(process);
  check.turn?.({ events: [account('3', before), account('7', after)] } as never, process);
  check.quiescent?.();
  return complaints;
}

test('funding is to be booked on the position at the payment', () => {
  expect(complaintsAbout({ booked: -40_000 })).toEqual([]);
  expect(complaintsAbout({ booked: -10_000 })).toEqual(['V28 the account earned -40000 micros of funding (± 6), and the run shows -10000']);
});

test('a payment that no later position shows may be missing', () => {
  expect(complaintsAbout({ booked: 0, seen: [10, 0] })).toEqual([]);
  expect(complaintsAbout({ booked: -90_000, seen: [10, 0] })).toHaveLength(1);
});

test('in a share of the seeds funding is paid within a run', () => {
  const every = Array.from({ length: 40 }, (_, seed) => optionsOf({ seed: `${seed}`, profile: 'calm', strategy: 'grid' }).fundingMs);
  expect(new Set(every)).toEqual(new Set([20_000, undefined]));
});

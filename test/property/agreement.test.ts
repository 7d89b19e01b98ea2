// Positions and fills from lagging accounts and trade lists: the check never alarms if they agree, and always if they do not.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Account } from '../../src/bot/domain/account.ts';
import type { AccountSeen, FillsSeen } from '../../src/bot/domain/event.ts';
import { lots, micros, ticks } from '../../src/bot/domain/numbers.ts';
import type { Fill } from '../../src/bot/domain/order.ts';
import { Alarms } from '../../src/bot/world/alarms.ts';
import { Agreement } from '../../src/bot/world/position/agreement.ts';
import { Revisions } from '../../src/bot/world/revisions.ts';
import { BTC, START } from '../unit/world-builder.ts';
import { SEED } from './random-world.ts';

/** Largest delay of a trade in the trade list and of a change in an account. */
const MAX_LISTING_DELAY = 1_500;
const MAX_ACCOUNT_DELAY = 1_900;

const change = fc.record({
  kind: fc.constant('trade' as const),
  size: fc.integer({ min: -5, max: 5 }).filter((size) => size !== 0),
  /** A self-trade: two fills and no change of the position. */
  withUs: fc.boolean(),
  listedLate: fc.integer({ min: 0, max: MAX_LISTING_DELAY }),
});
const poll = fc.record({
  kind: fc.constantFrom('account' as const, 'round' as const),
  /** Delay of the answer, and age of the account in it. */
  takes: fc.integer({ min: 0, max: 900 }),
  shownLate: fc.integer({ min: 0, max: MAX_ACCOUNT_DELAY }),
});
const step = fc.record({ after: fc.integer({ min: 1, max: 1_200 }), what: fc.oneof(change, poll, poll) });
const scenarios = fc.record({ before: fc.integer({ min: -20, max: 20 }), steps: fc.array(step, { maxLength: 60 }) });

type Scenario = typeof scenarios extends fc.Arbitrary<infer One> ? One : never;

interface Trade {
  readonly time: number;
  readonly listed: number;
  readonly fills: readonly Fill[];
  readonly change: number;
}

/** An exchange whose account and trade list lag behind its trades. */
class LaggingExchange {
  readonly #before: number;
  readonly #trades: Trade[] = [];
  readonly #reported = new Set<Trade>();
  #ids = 0;
  #newestSnapshot = 0;

  constructor(before: number) {
    this.#before = before;
  }

  trade(time: number, { size, withUs, listedLate }: { size: number; withUs: boolean; listedLate: number }): void {
    this.#ids += 1;
    const fill = (signed: number): Fill => ({
      tradeId: String(this.#ids),
      actionId: String(this.#ids),
      market: BTC.id,
      side: signed > 0 ? 'bid' : 'ask',
      price: ticks(1),
      size: lots(Math.abs(signed)),
      role: signed === size ? 'maker' : 'taker',
      orderId: 'x',
      time,
    });
    const fills = withUs ? [fill(size), fill(-size)] : [fill(size)];
    this.#trades.push({ time, listed: time + listedLate, fills, change: withUs ? 0 : size });
  }

  /** Returns an account, never older than the previous one. A newer snapshot has another update number. */
  account(asked: number, at: number, shownLate: number): AccountSeen {
    this.#newestSnapshot = Math.max(this.#newestSnapshot, asked - shownLate);
    const size = this.#trades.filter(({ time }) => time <= this.#newestSnapshot).reduce((sum, trade) => sum + trade.change, this.#before);
    const position = { market: BTC.id, size: lots(size), tradingPnl: micros(0), fundingPaymentPnl: micros(0), actionId: '0' };
    const account = { id: 1, updateId: String(this.#newestSnapshot), balances: [], orders: [], positions: size === 0 ? [] : [position] };
    return { kind: 'accountSeen', asked, at, account: account as unknown as Account };
  }

  round(asked: number, at: number): FillsSeen {
    const fresh = this.#trades.filter((trade) => trade.listed <= asked && !this.#reported.has(trade));
    for (const trade of fresh) this.#reported.add(trade);
    return { kind: 'fillsSeen', asked: asked - MAX_LISTING_DELAY, at, fills: fresh.flatMap(({ fills }) => fills) };
  }
}

interface Played {
  readonly agreement: Agreement;
  readonly exchange: LaggingExchange;
  readonly alarms: Alarms;
  readonly now: number;
}

/** Plays a scenario with one request at a time, so that answers arrive in request order. */
function played({ before, steps }: Scenario): Played {
  const alarms = new Alarms();
  const agreement = new Agreement([BTC], { alarms, revisions: new Revisions(), sentAt: () => undefined });
  const exchange = new LaggingExchange(before);
  let now = START;
  for (const { after, what } of steps) {
    now += after;
    if (what.kind === 'trade') exchange.trade(now, what);
    else {
      const asked = now;
      now += what.takes;
      if (what.kind === 'account') agreement.accountSeen(exchange.account(asked, now, what.shownLate));
      else agreement.filled(exchange.round(asked, now));
    }
  }
  return { agreement, exchange, alarms, now };
}

/** Polls the account and the fills every two seconds without further trades, then the fills once more. The baseline position is known after that. */
function quiet({ agreement, exchange, now }: Played, polls: number): number {
  let at = now + 10_000;
  for (let count = 0; count < polls; count++) {
    agreement.filled(exchange.round(at, at));
    agreement.accountSeen(exchange.account(at + 1, at + 1, 0));
    at += 2_000;
  }
  at += 1_000;
  agreement.filled(exchange.round(at, at));
  return at;
}

const OPTIONS = { seed: SEED, numRuns: 500 };

test('consistent data never raises an alarm, however late it is, and the initial position becomes known', () => {
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const run = played(scenario);
      expect(run.alarms.take()).toEqual([]);
      quiet(run, 2);
      expect(run.alarms.take()).toEqual([]);
      expect(run.agreement.unexplained(BTC.id)).toBeUndefined();
      expect([...run.agreement.baselines()]).toEqual([[BTC.id, scenario.before]]);
      expect(run.agreement.agreedAsOf(BTC.id)).toBeGreaterThan(run.now);
    }),
    OPTIONS,
  );
});

test.each([
  ['a trade that is never listed', Number.POSITIVE_INFINITY],
  ['a listed trade that no account shows', 0],
])('%s is found within two accounts without trades, reported once, and cleared when the data agree', (_, listedLate) => {
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const run = played(scenario);
      let now = quiet(run, 2) + 1;
      if (listedLate > 0) run.exchange.trade(now, { size: 3, withUs: false, listedLate });
      else run.agreement.filled(forged(now));
      now = quiet({ ...run, now }, 2);
      expect(run.alarms.take().map(({ name }) => name)).toEqual(['position']);
      expect(run.agreement.unexplained(BTC.id)?.reason).toMatch(/^the position is .*, our fills explain .*: a trade is missing/);
      expect(run.agreement.agreedAsOf(BTC.id)).toBeUndefined();
      if (listedLate > 0) run.agreement.filled(forged(now));
      else run.exchange.trade(now, { size: 3, withUs: false, listedLate: Number.POSITIVE_INFINITY });
      quiet({ ...run, now }, 1);
      expect(run.agreement.unexplained(BTC.id)).toBeUndefined();
    }),
    { ...OPTIONS, numRuns: 200 },
  );
});

/** Returns a poll of fills with 3 lots bought that the exchange did not trade. */
const forged = (at: number): FillsSeen => ({
  kind: 'fillsSeen',
  asked: at,
  at,
  fills: [
    {
      tradeId: 'forged',
      actionId: 'forged',
      market: BTC.id,
      side: 'bid',
      price: ticks(1),
      size: lots(3),
      role: 'maker',
      orderId: 'x',
      time: at,
    },
  ],
});

// Accounts and lists of trades that lag behind, as they do: what adds up is never doubted, and what does not is always found.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Account } from '../../src/domain/account.ts';
import type { AccountSeen, FillsSeen } from '../../src/domain/event.ts';
import { lots, micros, ticks } from '../../src/domain/numbers.ts';
import type { Fill } from '../../src/domain/order.ts';
import { Alarms } from '../../src/world/alarms.ts';
import { Agreement } from '../../src/world/position/agreement.ts';
import { Revisions } from '../../src/world/revisions.ts';
import { BTC, START } from '../unit/world-builder.ts';
import { SEED } from './random-world.ts';

/** How late at most the list of trades shows one, and an account a change. */
const LISTED_LATE = 1_500;
const SHOWN_LATE = 1_900;

const change = fc.record({
  kind: fc.constant('trade' as const),
  size: fc.integer({ min: -5, max: 5 }).filter((size) => size !== 0),
  /** A trade with ourselves: two fills, and no change. */
  withUs: fc.boolean(),
  listedLate: fc.integer({ min: 0, max: LISTED_LATE }),
});
const look = fc.record({
  kind: fc.constantFrom('account' as const, 'round' as const),
  /** The way back, and how old the picture is that was taken. */
  takes: fc.integer({ min: 0, max: 900 }),
  shownLate: fc.integer({ min: 0, max: SHOWN_LATE }),
});
const step = fc.record({ after: fc.integer({ min: 1, max: 1_200 }), what: fc.oneof(change, look, look) });
const lives = fc.record({ before: fc.integer({ min: -20, max: 20 }), steps: fc.array(step, { maxLength: 60 }) });

type Life = typeof lives extends fc.Arbitrary<infer One> ? One : never;

interface Trade {
  readonly time: number;
  readonly listed: number;
  readonly fills: readonly Fill[];
  readonly change: number;
}

/** The exchange as it is: what was traded when, and what it shows of that. */
class Truth {
  readonly #before: number;
  readonly #trades: Trade[] = [];
  readonly #reported = new Set<Trade>();
  #ids = 0;
  #newestPicture = 0;

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

  /** Accounts never show less than they did. The exchange goes on: a newer picture has another update number. */
  account(asked: number, at: number, shownLate: number): AccountSeen {
    this.#newestPicture = Math.max(this.#newestPicture, asked - shownLate);
    const size = this.#trades.filter(({ time }) => time <= this.#newestPicture).reduce((sum, trade) => sum + trade.change, this.#before);
    const position = { market: BTC.id, size: lots(size), tradingPnl: micros(0), fundingPaymentPnl: micros(0), actionId: '0' };
    const account = { id: 1, updateId: String(this.#newestPicture), balances: [], orders: [], positions: size === 0 ? [] : [position] };
    return { kind: 'accountSeen', asked, at, account: account as unknown as Account };
  }

  round(asked: number, at: number): FillsSeen {
    const fresh = this.#trades.filter((trade) => trade.listed <= asked && !this.#reported.has(trade));
    for (const trade of fresh) this.#reported.add(trade);
    return { kind: 'fillsSeen', asked: asked - LISTED_LATE, at, fills: fresh.flatMap(({ fills }) => fills) };
  }
}

interface Played {
  readonly agreement: Agreement;
  readonly truth: Truth;
  readonly alarms: Alarms;
  readonly now: number;
}

/** One request at a time, so that answers come in the order in which they were asked for. */
function played({ before, steps }: Life): Played {
  const alarms = new Alarms();
  const agreement = new Agreement([BTC], { alarms, revisions: new Revisions() });
  const truth = new Truth(before);
  let now = START;
  for (const { after, what } of steps) {
    now += after;
    if (what.kind === 'trade') truth.trade(now, what);
    else {
      const asked = now;
      now += what.takes;
      if (what.kind === 'account') agreement.accountSeen(truth.account(asked, now, what.shownLate));
      else agreement.filled(truth.round(asked, now));
    }
  }
  return { agreement, truth, alarms, now };
}

/** Nothing happens any more: an account and a round every two seconds, and a last round a second later, after which a first position is learned. */
function quiet({ agreement, truth, now }: Played, looks: number): number {
  let at = now + 10_000;
  for (let count = 0; count < looks; count++) {
    agreement.filled(truth.round(at, at));
    agreement.accountSeen(truth.account(at + 1, at + 1, 0));
    at += 2_000;
  }
  at += 1_000;
  agreement.filled(truth.round(at, at));
  return at;
}

const OPTIONS = { seed: SEED, numRuns: 500 };

test('what adds up is never doubted, however late it is shown, and in the end what was there before is known', () => {
  fc.assert(
    fc.property(lives, (life) => {
      const run = played(life);
      expect(run.alarms.take()).toEqual([]);
      quiet(run, 2);
      expect(run.alarms.take()).toEqual([]);
      expect(run.agreement.unexplained(BTC.id)).toBeUndefined();
      expect([...run.agreement.baselines()]).toEqual([[BTC.id, life.before]]);
      expect(run.agreement.agreedAsOf(BTC.id)).toBeGreaterThan(run.now);
    }),
    OPTIONS,
  );
});

test.each([
  ['a trade that is never listed', Number.POSITIVE_INFINITY],
  ['a trade that the list reports, and no account shows', 0],
])('%s is found within two quiet accounts, reported once, and heals when it is mended', (_, listedLate) => {
  fc.assert(
    fc.property(lives, (life) => {
      const run = played(life);
      let now = quiet(run, 2) + 1;
      if (listedLate > 0) run.truth.trade(now, { size: 3, withUs: false, listedLate });
      else run.agreement.filled(forged(now));
      now = quiet({ ...run, now }, 2);
      expect(run.alarms.take().map(({ name }) => name)).toEqual(['position']);
      expect(run.agreement.unexplained(BTC.id)?.reason).toMatch(/^the position is .*, our fills explain .*: a trade is missing/);
      expect(run.agreement.agreedAsOf(BTC.id)).toBeUndefined();
      if (listedLate > 0) run.agreement.filled(forged(now));
      else run.truth.trade(now, { size: 3, withUs: false, listedLate: Number.POSITIVE_INFINITY });
      quiet({ ...run, now }, 1);
      expect(run.agreement.unexplained(BTC.id)).toBeUndefined();
    }),
    { ...OPTIONS, numRuns: 200 },
  );
});

/** A round that reports 3 lots bought, whatever the exchange did. */
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

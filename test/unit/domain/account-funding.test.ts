// The funding that the bot counts from accounts and fills, against an exchange that pays by the position at each payment.
import { describe, expect, test } from 'vitest';
import { type Rng, rngFrom } from '../../../src/base/rng.ts';
import type { Account } from '../../../src/bot/domain/account.ts';
import { AccountFunding } from '../../../src/bot/domain/accounting/account-funding.ts';
import type { InfoSeen } from '../../../src/bot/domain/event.ts';
import { lots, micros, ticks } from '../../../src/bot/domain/numbers.ts';
import type { Fill } from '../../../src/bot/domain/order.ts';
import { BTC } from '../world-builder.ts';

const HOUR = 3_600_000;
/** The bot's clock is not the exchange's. */
const BOT_AHEAD = 30 * HOUR;
/** Index parts of one quote unit per unit of base: BTC has lots of 0.0001. */
const UNIT = 1e8;

/** An exchange with one position, which settles funding at each fill, rounded down. Its index counts in millionths of a micro per lot. */
class ExactExchange {
  now = 0;
  #size = 0;
  #index = 0;
  #settledAt = 0;
  #actions = 0;
  #settled = 0;
  #lastAction = 0;
  /** What each payment was on the position then, in millionths of a micro; positive if earned. */
  paid = 0;

  get size(): number {
    return this.#size;
  }

  /** `step`: in index parts. */
  pay(step: number): void {
    this.#actions++;
    this.#index += step;
    this.paid -= this.#size * step;
  }

  fill(signed: number): Fill {
    this.#settled += this.#owed;
    this.#settledAt = this.#index;
    this.#size += signed;
    this.#lastAction = ++this.#actions;
    const id = `${this.#actions}`;
    const side = signed > 0 ? 'bid' : 'ask';
    const known = { market: 0, price: ticks(600_000), role: 'maker', orderId: id, tradeId: id, actionId: id } as const;
    return { ...known, side, size: lots(Math.abs(signed)), time: this.now };
  }

  get #owed(): number {
    return Math.floor((-this.#size * (this.#index - this.#settledAt)) / 1e6);
  }

  /** As the exchange has it. */
  get earned(): number {
    return this.#settled + this.#owed;
  }

  account(): Account {
    const [actionId, size] = [`${this.#lastAction}`, lots(this.#size)];
    const flat = { market: 0, size, tradingPnl: micros(0), fundingPaymentPnl: micros(0), actionId };
    const held = { ...flat, entry: 60_000, fundingPaymentPnl: micros(this.#owed), fundingIndex: this.#settledAt / UNIT };
    return { positions: [this.#size === 0 ? flat : held] } as unknown as Account;
  }
}

/** An exchange, and the count of a bot that sees its accounts and fills when they are passed. */
function setup(size = 0) {
  const [exchange, funding] = [new ExactExchange(), new AccountFunding([BTC])];
  const see = (): void => funding.accountSeen({ account: exchange.account(), asked: exchange.now + BOT_AHEAD });
  if (size !== 0) exchange.fill(size);
  see();
  return { exchange, funding, see };
}

function between({ late }: { readonly late: boolean }): number {
  const { exchange, funding, see } = setup(10);
  exchange.now = HOUR - 500;
  const fills = [exchange.fill(30)];
  exchange.now = HOUR;
  exchange.pay(10 * UNIT);
  exchange.now = HOUR + 500;
  fills.push(exchange.fill(10));
  if (!late) funding.filled(fills);
  see();
  if (late) funding.filled(fills);
  expect(exchange.earned).toBe(-40_000);
  return funding.total;
}

describe('a payment between two fills that lie between two accounts', () => {
  test('is counted on the size at its time', () => {
    expect(between({ late: false })).toBe(-40_000);
  });

  test('is counted on it also if the fills are read after the account', () => {
    expect(between({ late: true })).toBe(-40_000);
  });

  test('is not counted on a size from before the owed funding was settled', () => {
    const { exchange, funding, see } = setup(10);
    exchange.now = HOUR;
    exchange.pay(UNIT);
    see();
    exchange.now = 2 * HOUR - 500;
    const fills = [exchange.fill(30)];
    exchange.now = 2 * HOUR;
    exchange.pay(2 * UNIT);
    exchange.now = 2 * HOUR + 500;
    fills.push(exchange.fill(-5));
    funding.filled(fills);
    see();
    expect([funding.total, exchange.earned]).toEqual([-9_000, -9_000]);
  });

  test('is not counted twice if the account after the fills is read long after them', () => {
    const { exchange, funding, see } = setup(300);
    const at = (time: number): void => void (exchange.now = time);
    for (const nextFunding of [20_000, 40_000]) funding.infoSeen({ infos: [{ market: 0, nextFunding }] as unknown as InfoSeen['infos'] });
    at(20_000);
    exchange.pay(UNIT);
    at(20_100);
    funding.filled([exchange.fill(32)]);
    see();
    at(40_000);
    exchange.pay(2 * UNIT);
    at(40_900);
    see();
    at(54_000);
    const fills = [exchange.fill(-166)];
    at(60_000);
    exchange.pay(3 * UNIT);
    at(64_000);
    fills.push(exchange.fill(-83));
    funding.filled(fills);
    at(68_000);
    see();
    expect(exchange.earned).toBe(-30_000 - 66_400 - 49_800);
    expect(funding.total).toBe(exchange.earned);
  });

  test('is counted if the first account after a fill owed an earlier one already', () => {
    const { exchange, funding, see } = setup(300);
    const at = (time: number): void => void (exchange.now = time);
    for (const nextFunding of [20_000, 40_000]) funding.infoSeen({ infos: [{ market: 0, nextFunding }] as unknown as InfoSeen['infos'] });
    exchange.pay(UNIT);
    at(16_100);
    funding.filled([exchange.fill(32)]);
    at(20_000);
    exchange.pay(UNIT);
    at(25_000);
    see();
    at(39_300);
    see();
    at(40_000);
    exchange.pay(2 * UNIT);
    at(40_100);
    funding.filled([exchange.fill(-332)]);
    at(40_300);
    see();
    at(43_100);
    funding.filled([exchange.fill(-72)]);
    at(43_200);
    see();
    expect(exchange.earned).toBe(-30_000 - 33_200 - 66_400);
    expect(funding.total).toBe(exchange.earned);
  });

  test('that closes the position is counted as soon as a later position shows the index', () => {
    const { exchange, funding, see } = setup(10);
    exchange.now = HOUR;
    exchange.pay(3 * UNIT);
    exchange.now = HOUR + 100;
    funding.filled([exchange.fill(-10)]);
    see();
    expect(funding.total).toBe(0); // a flat position shows no index
    exchange.now = HOUR + 60_000;
    funding.filled([exchange.fill(20)]);
    see();
    expect([funding.total, exchange.earned]).toEqual([-3_000, -3_000]);
  });

  test('is counted on it also if the process died between the two', () => {
    const { exchange, funding, see } = setup(10);
    exchange.now = HOUR - 500;
    const booked = exchange.fill(30);
    const later = new AccountFunding([BTC]);
    later.resume(JSON.parse(JSON.stringify(funding.carry())));
    later.filled([booked]);
    exchange.now = HOUR;
    exchange.pay(10 * UNIT);
    exchange.now = HOUR + 500;
    later.filled([exchange.fill(10)]);
    later.accountSeen({ account: exchange.account(), asked: exchange.now + BOT_AHEAD });
    see();
    expect([later.total, funding.total]).toEqual([-40_000, -10_000]); // the earlier process has read neither fill
  });

  test('without the ids of actions is counted on the size before, as far as is known', () => {
    const { exchange, funding, see } = setup(10);
    exchange.now = HOUR - 500;
    const first = exchange.fill(30);
    exchange.now = HOUR;
    exchange.pay(10 * UNIT);
    exchange.now = HOUR + 500;
    funding.filled([first, exchange.fill(10)].map((fill) => ({ ...fill, actionId: '0' })));
    see();
    expect(funding.total).toBe(-10_000);
  });

  test('at an announced time other than the full hour is counted on the size then', () => {
    const { exchange, funding, see } = setup(10);
    const announced = (nextFunding: number): void => funding.infoSeen({ infos: [{ market: 0, frozen: false, nextFunding }] });
    for (const next of [20_000, 40_000, 60_000]) announced(next);
    exchange.now = 45_000;
    see();
    exchange.now = 59_000;
    const fills = [exchange.fill(30)];
    exchange.now = 60_000;
    exchange.pay(10 * UNIT);
    exchange.now = 61_000;
    fills.push(exchange.fill(10));
    announced(80_000);
    funding.filled(fills);
    see();
    expect(funding.total).toBe(-40_000);
  });
});

interface Walk {
  readonly seed: string;
  /** Seconds between two accounts, on average. */
  readonly gap: number;
  /** The move of the index at each payment. */
  readonly step: (rng: Rng) => number;
  readonly next: (rng: Rng, size: number) => number;
}

/** Plays hours of fills and payments. Fills reach the bot before or after the account that includes them. Returns both counts, and the payments. */
function play({ seed, gap, step, next }: Walk): { readonly counted: number; readonly true: number; readonly payments: number } {
  const rng = rngFrom(seed);
  const { exchange, funding, see } = setup(100);
  const before = exchange.earned;
  let [unread, payments] = [[] as Fill[], 0];
  for (let seconds = 1; seconds <= 20_000; seconds++) {
    exchange.now = seconds * 1_000 + rng.below(900);
    if (seconds % 3_600 === 0) {
      exchange.now = seconds * 1_000;
      exchange.pay(step(rng));
      payments++;
      continue;
    }
    if (rng.next() < 0.02 || ((seconds % 3_600 > 3_590 || seconds % 3_600 < 10) && rng.next() < 0.3)) {
      const signed = next(rng, exchange.size);
      if (signed !== 0) unread.push(exchange.fill(signed));
    }
    if (rng.next() < 0.1) [unread] = [[], funding.filled(unread)];
    if (rng.next() < 1 / gap) see();
  }
  exchange.now += 1_000;
  if (exchange.size === 0) unread.push(exchange.fill(10));
  see();
  funding.filled(unread);
  return { counted: funding.total, true: exchange.earned - before, payments };
}

/** The index shows what is owed to the micro only, so its move is known to some parts of a micro for each lot. */
const tolerance = (payments: number): number => 4 * payments;

/** Always long, of like sizes. */
const staysLong: Walk['next'] = (rng, size) => 50 + rng.below(101) - size;
/** Often flat. */
const turns: Walk['next'] = (rng, size) => 50 * (rng.below(5) - 2) - size;

describe('hours of fills and payments', () => {
  test.each([1, 3, 10, 120])('come to what the exchange has paid, with an account every %i s', (gap) => {
    for (let seed = 0; seed < 8; seed++) {
      const step = (rng: Rng): number => Math.round(rng.normal() * UNIT);
      const walk = play({ seed: `${gap}/${seed}`, gap, step, next: staysLong });
      expect(Math.abs(walk.counted - walk.true), `seed ${gap}/${seed}: ${JSON.stringify(walk)}`).toBeLessThanOrEqual(
        tolerance(walk.payments),
      );
    }
  });

  test.each([1, 3, 10])('come to it also if the position is often flat and turns, with an account every %i s', (gap) => {
    for (let seed = 0; seed < 8; seed++) {
      const step = (): number => UNIT / 4;
      const walk = play({ seed: `flat/${gap}/${seed}`, gap, step, next: turns });
      expect(Math.abs(walk.counted - walk.true), `seed flat/${gap}/${seed}: ${JSON.stringify(walk)}`).toBeLessThanOrEqual(
        tolerance(walk.payments),
      );
    }
  });
});

/** Accounts and fills at times after one moment, in ms, and the payments of funding that were announced. */
function paidAt(...payments: readonly number[]) {
  const funding = new AccountFunding([BTC]);
  const at = 1_767_614_000_000;
  const announce = (next: number): void => funding.infoSeen({ infos: [{ market: BTC.id, frozen: false, nextFunding: at + next }] });
  for (const next of payments) announce(next);
  const see = (asked: number, actionId: string, position: { size: number; owed?: number; index?: number }): void =>
    funding.accountSeen({
      asked: at + asked,
      account: {
        positions: [
          {
            market: BTC.id,
            size: lots(position.size),
            entry: ticks(600_000),
            fundingPaymentPnl: micros(position.owed ?? 0),
            fundingIndex: position.index,
            actionId,
          },
        ],
      } as unknown as Account,
    });
  const fill = (tradeId: string, side: Fill['side'], time: number, actionId: string, size = 83): Fill => ({
    tradeId,
    actionId,
    side,
    market: BTC.id,
    price: ticks(600_000),
    size: lots(size),
    role: 'maker',
    orderId: tradeId,
    time: at + time,
  });
  return { funding, announce, see, fill };
}

test('a payment is counted anew when it becomes known at which times the market is paid', () => {
  const { funding, announce, see, fill } = paidAt(540_000);
  see(502_000, '88', { size: 66, index: 0 });
  funding.filled([fill('1', 'ask', 516_100, '162'), fill('2', 'ask', 522_100, '193')]);
  see(523_000, '193', { size: -100, index: 0.01586066 });
  expect(funding.total).toBe(-105); // on the size before the fills: no payment is known between them
  announce(560_000);
  expect(funding.total).toBe(26);
});

test('a payment that the position owed already is not counted again, however late the account after it was read', () => {
  const { funding, see, fill } = paidAt(600_000, 620_000, 640_000);
  see(593_754, '508', { size: 83, index: -0.62689351 });
  see(602_584, '561', { size: 83, owed: 30, index: -0.62689351 }); // paid at 600 s
  funding.filled([fill('1', 'ask', 602_700, '574')]);
  see(603_467, '574', { size: 0 });
  see(628_645, '649', { size: 83, index: -0.70774571 }); // flat when it was paid at 620 s
  funding.filled([fill('2', 'bid', 621_400, '649')]);
  expect(funding.total).toBe(30);
});

test('a payment that the position owed already is not counted again after a pause, because its newest fill was before it', () => {
  const { funding, see, fill } = paidAt(500_000, 520_000, 540_000);
  see(520_141, '3250', { size: 415, index: 0.78523583 });
  funding.filled([fill('1', 'ask', 530_100, '3325')]);
  see(530_256, '3325', { size: 332, index: 0.78523583 });
  see(540_108, '3344', { size: 332, owed: -4_732, index: 0.78523583 }); // paid at 540 s
  see(568_250, '3480', { size: 83, index: 1.11084238 }); // paid again at 560 s, on 166 lots
  funding.filled([fill('2', 'ask', 554_100, '3436'), fill('3', 'ask', 554_100, '3442')]);
  funding.filled([fill('4', 'ask', 562_100, '3472', 29), fill('5', 'ask', 564_100, '3480', 54)]);
  expect(funding.total).toBe(-4_732 - 3_040);
});

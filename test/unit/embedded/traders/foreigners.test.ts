// What the flow does to accounts that are not its own: it takes their orders, and moves its quotes when they take.
import { describe, expect, it } from 'vitest';
import { opposite, SIDES, signOf } from '../../../../src/bot/domain/book.ts';
import { type Lots, type Ticks, ticks } from '../../../../src/bot/domain/numbers.ts';
import { BTC, runFlow } from './flow-run.ts';
import { FOREIGN_ACCOUNT, type NaivePort } from './naive-port.ts';

const ONE_COIN = 10_000 as Lots;

describe.each(SIDES)('a foreign %s', (side) => {
  it('at too good a price is taken within seconds', () => {
    const { port } = runFlow(BTC, {
      seed: 'generous',
      seconds: 20,
      interfere(port, second) {
        const touch = port.best(side);
        if (second !== 10 || touch === undefined) return;
        const price = ticks(Math.round(touch * (1 + (signOf(side) * 10) / 1e4)));
        port.place({ trader: FOREIGN_ACCOUNT, side, fillMode: 'LIMIT', price, size: ONE_COIN });
      },
    });
    expect(Math.abs(port.position(FOREIGN_ACCOUNT))).toBe(ONE_COIN);
    expect(port.resting(side).filter(({ trader }) => trader === FOREIGN_ACCOUNT)).toEqual([]);
  });

  it('that rests some basis points away is filled at its price when the market reaches it', () => {
    const { port } = runFlow(BTC, { seed: 'grid', seconds: 120, interfere: (port, second) => second === 5 && rungOf(port, side) });
    const fills = port.trades.filter(({ maker }) => maker === FOREIGN_ACCOUNT);
    expect(fills.length).toBeGreaterThan(0);
    expect(new Set(fills.map(({ side: taker }) => taker))).toEqual(new Set([opposite(side)]));
  });

  it('of a whale moves the price its way and leaves both sides quoted', () => {
    const quiet = runFlow(BTC, { seed: 'whale', seconds: 60 });
    const moved = runFlow(BTC, { seed: 'whale', seconds: 60, interfere: (port) => buyOrSell(port, side) });
    const [was, is] = [quiet.samples.at(-1)?.mid ?? 0, moved.samples.at(-1)?.mid ?? 0];
    expect(signOf(side) * (is / was - 1) * 1e4).toBeGreaterThan(3);
    for (const { bid, ask, mid, levels } of moved.samples) {
      expect(ask).toBeGreaterThan(bid);
      expect((ask - bid) / mid).toBeLessThan(0.005);
      expect(levels).toBeGreaterThanOrEqual(4);
    }
  });
});

function rungOf(port: NaivePort, side: (typeof SIDES)[number]): void {
  const touch = port.best(side);
  if (touch === undefined) return;
  const price = Math.round(touch * (1 - (signOf(side) * 6) / 1e4)) as Ticks;
  port.place({ trader: FOREIGN_ACCOUNT, side, fillMode: 'LIMIT', price, size: 100 as Lots });
}

/** A fifth of a coin every tenth of a second, at most half a percent from the touch. */
function buyOrSell(port: NaivePort, side: (typeof SIDES)[number]): void {
  const touch = port.best(opposite(side));
  if (touch === undefined) return;
  const price = Math.round(touch * (1 + signOf(side) * 0.005)) as Ticks;
  port.place({ trader: FOREIGN_ACCOUNT, side, fillMode: 'IMMEDIATE_OR_CANCEL', price, size: (ONE_COIN / 5) as Lots });
}

// Invariant of the simulated exchange itself: money and base are neither created nor lost. Otherwise its record would prove nothing about the bot.
import type { Millis } from '../../../base/clock.ts';
import type { Exchange } from '../../../embedded/exchange/exchange.ts';
import type { MakeCheck } from '../environment/scene.ts';

/** The time between two checks; each costs as much as there are accounts. */
const EVERY: Millis = 1_000;

export const conservation: MakeCheck = ({ venue, now, fail }) => {
  const atFirst = totalsOf(venue.exchange);
  let looked = now();
  const look = (): void => {
    looked = now();
    for (const [what, total] of totalsOf(venue.exchange)) {
      const before = atFirst.get(what) ?? 0;
      if (total !== before) fail('V18', `${what} came to ${before} in all accounts together, and comes to ${total}`);
    }
  };
  return {
    answered() {
      if (now() >= looked + EVERY) look();
    },
    quiescent: look,
  };
};

/**
 * The sums over all accounts, including the exchange's own, which collects fees and passes on funding: exact, in millionths of quote money and in
 * lots.
 */
function totalsOf(exchange: Exchange): ReadonlyMap<string, number> {
  let money = 0;
  const sizes = new Map(
    exchange.markets.filter(({ spec }) => spec.kind === 'perp').map(({ symbol }): [string, number] => [`the position in ${symbol}`, 0]),
  );
  for (let id = 0, account = exchange.account(0); account !== undefined; account = exchange.account(++id)) {
    for (const { tokenId, token, amount } of account.balances) {
      if (tokenId === 0) money += Math.round(amount * 1e6);
      else sizes.set(`the balance of ${token}`, (sizes.get(`the balance of ${token}`) ?? 0) + Math.round(amount * 1e6));
    }
    for (const { market, size, cost } of account.positions) {
      money -= cost;
      const what = `the position in ${exchange.markets[market]?.symbol ?? market}`;
      sizes.set(what, (sizes.get(what) ?? 0) + size);
    }
  }
  return sizes.set('money less what positions cost', money);
}

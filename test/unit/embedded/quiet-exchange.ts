// An exchange whose prices change only if the test changes them, with orders as lines of text.

import type { Side } from '../../../src/bot/domain/book.ts';
import type { AccountId } from '../../../src/bot/domain/ids.ts';
import type { Market } from '../../../src/bot/domain/market.ts';
import { lots, type Micros, micros, ticks } from '../../../src/bot/domain/numbers.ts';
import type { FillMode } from '../../../src/bot/domain/order.ts';
import type { CancelOutcome, Placed, PlaceOutcome } from '../../../src/embedded/exchange/commands.ts';
import { Exchange } from '../../../src/embedded/exchange/exchange.ts';
import type { CreateFlow } from '../../../src/embedded/exchange/traders/flow-port.ts';
import type { ShownAccountState } from '../../../src/embedded/exchange/views.ts';

/** A full hour. */
export const START = Date.UTC(2026, 0, 1);
export const HOUR = 3_600_000;
export const usd = (units: number): Micros => micros(Math.round(units * 1e6));

/** A steady index, no traders in the perpetuals, and one seller per spot market who always offers a hundred tokens at the first price. */
export const spotSeller: CreateFlow = ({ market, basePrice }) => {
  const price = market.ticksNear(basePrice)!;
  return {
    traderCount: 1,
    index: price,
    indexConf: ticks(1),
    step(port) {
      if (market.spec.kind !== 'spot' || port.best('ask') !== undefined) return;
      port.place({ trader: 0, side: 'ask', fillMode: 'LIMIT', price, size: market.lots(100) });
    },
  };
};

export class QuietExchange {
  readonly exchange: Exchange;

  constructor(played: CreateFlow | Exchange | false = false) {
    this.exchange = played instanceof Exchange ? played : new Exchange({ seed: 'quiet', start: START, flow: played });
  }

  market(symbol: string): Market {
    return this.exchange.markets.find((market) => market.symbol === symbol)!;
  }

  user(name: string, units: number): AccountId {
    return this.exchange.register(name, usd(units));
  }

  /** Places `bid 0.5 BTCUSDC @ 60000 POST_ONLY`. The fill mode is LIMIT by default; without a price it is a market order. */
  place(account: AccountId, line: string): PlaceOutcome {
    const [, side, size, symbol, price, fillMode = 'LIMIT'] = /^(bid|ask) ([\d.]+) (\S+)(?: @ ([\d.]+))?(?: ([A-Z_]+))?$/.exec(line)!;
    const market = this.market(symbol!);
    return this.exchange.place({
      account,
      market: market.id,
      side: side as Side,
      fillMode: fillMode as FillMode,
      price: price === undefined ? undefined : market.restAt(side as Side, Number(price)),
      size: lots(Math.round(Number(size) * 10 ** market.spec.sizeDecimals)),
    });
  }

  /** Places an order that must be accepted. */
  placed(account: AccountId, line: string): Placed {
    const outcome = this.place(account, line);
    if (outcome.kind === 'refused') throw new Error(`${line}: ${outcome.error}`);
    return outcome;
  }

  /** The name of the error; undefined if the order was accepted. */
  refusal(account: AccountId, line: string): string | undefined {
    return errorOf(this.place(account, line));
  }

  /** Makes the two accounts trade with each other. */
  trade({ buyer, seller }: { buyer: AccountId; seller: AccountId }, what: string): void {
    this.placed(seller, `ask ${what}`);
    this.placed(buyer, `bid ${what}`);
  }

  index(symbol: string, price: number): void {
    const market = this.market(symbol);
    this.exchange.setIndex(market.id, market.ticksNear(price));
  }

  pass(span: number): void {
    this.exchange.advanceTo(this.exchange.now() + span);
  }

  state(account: AccountId): ShownAccountState {
    return this.exchange.account(account)!;
  }

  amount(account: AccountId, token = 'USDC'): number | undefined {
    return this.state(account).balances.find((balance) => balance.token === token)?.amount;
  }
}

export const errorOf = (outcome: PlaceOutcome | CancelOutcome): string | undefined =>
  outcome.kind === 'refused' ? outcome.error : undefined;

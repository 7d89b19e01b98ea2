// The number of orders and cancels that an address may send: a first number, and one for each unit of quote money that it has traded.
import type { AccountId } from '../../../bot/domain/ids.ts';
import { micros, toDecimal } from '../../../bot/domain/numbers.ts';
import type { HyperliquidAction } from '../../../venues/wire/hyperliquid/actions.ts';
import type { Exchange } from '../../exchange/exchange.ts';

const FIRST = 10_000;
/** How many more cancels than orders are possible. */
const CANCELS_MORE = 100_000;

interface Count {
  used: number;
  /** In millionths, of the trades up to `last`. */
  volume: number;
  readonly last: Map<AccountId, number>;
}

export class Quota {
  readonly #exchange: Exchange;
  readonly #first: number;
  readonly #counts = new Map<string, Count>();

  /** `first`: what an address may send that has traded nothing. */
  constructor(exchange: Exchange, first = FIRST) {
    this.#exchange = exchange;
    this.#first = first;
  }

  /** Counts the orders and cancels of an action, also of one that is refused. Returns why it is refused. */
  take(user: string, action: HyperliquidAction): string | undefined {
    const { used, allowed, volume } = this.of(user);
    const most = isCancel(action) ? Math.min(allowed + CANCELS_MORE, 2 * allowed) : allowed;
    this.#count(user).used += sizeOf(action);
    if (sizeOf(action) === 0 || used < most) return undefined;
    return `Too many cumulative requests sent (${used} > ${allowed}) for cumulative volume traded $${volume.toFixed(2)}. Place taker orders to free up 1 request per USDC traded.`;
  }

  /** `volume` in quote tokens. */
  of(user: string): { readonly used: number; readonly allowed: number; readonly volume: number } {
    const count = this.#count(user);
    const { records, markets } = this.#exchange;
    for (const account of this.#exchange.accountsOf(user)) {
      const news = { after: count.last.get(account) ?? 0, most: Number.MAX_SAFE_INTEGER };
      for (const { tradeId, market, price, size } of records.tradesSince({ account }, news)) {
        count.volume += markets[market]!.notional(price, size);
        count.last.set(account, Number(tradeId));
      }
    }
    const volume = toDecimal(micros(count.volume));
    return { used: count.used, allowed: this.#first + Math.floor(volume), volume };
  }

  #count(user: string): Count {
    const count = this.#counts.get(user) ?? { used: 0, volume: 0, last: new Map() };
    this.#counts.set(user, count);
    return count;
  }
}

const isCancel = (action: HyperliquidAction): action is Extract<HyperliquidAction, { readonly cancels: unknown }> => 'cancels' in action;

function sizeOf(action: HyperliquidAction): number {
  if (action.type === 'order') return action.orders.length;
  if (action.type === 'batchModify') return action.modifies.length;
  return isCancel(action) ? action.cancels.length : 0;
}

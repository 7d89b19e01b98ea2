// Attaches a market's other traders: opens their funded accounts, and returns the port through which their flow acts.
import { lots } from '../../../bot/domain/numbers.ts';
import { cancel, place } from '../rules/placing.ts';
import { type ExchangeAccount, holdingIn } from '../state/account.ts';
import { addAccount, type ExchangeState } from '../state/exchange-state.ts';
import { QUOTE } from '../state/listing.ts';
import type { MarketState } from '../state/market-state.ts';
import type { FlowPort, MarketFlow } from './flow-port.ts';

/** The quote money of each trader, and in a spot market as much again in the base token. */
const ENDOWMENT = 50e6;

/** Opens an account for each trader of the flow. */
export function attach(state: ExchangeState, marketState: MarketState, flow: MarketFlow): FlowPort {
  const { market, book, prices } = marketState;
  const { kind, baseTokenId } = market.spec;
  const endowment = market.lots(ENDOWMENT / market.price(prices.index));
  const accounts = Array.from({ length: flow.traderCount }, (): ExchangeAccount => {
    const account = addAccount(state, { isOtherTrader: true });
    account.balances[QUOTE] = ENDOWMENT * 1e6;
    if (kind === 'spot') account.balances[baseTokenId] = endowment;
    return account;
  });
  return {
    get now() {
      return state.now;
    },
    market,
    best: (side) => book.best(side),
    // Field by field, because a spread is slow and this is the hottest path of the exchange.
    place({ trader, side, fillMode, price, size }) {
      const outcome = place(state, { account: accounts[trader]!.id, market: market.id, side, fillMode, price, size });
      return outcome.kind === 'accepted' ? outcome.posted?.orderId : undefined;
    },
    cancel: ({ trader, orderId }) => void cancel(state, { account: accounts[trader]!.id, orderId }),
    position(trader) {
      const account = accounts[trader]!;
      return kind === 'spot' ? lots(account.balances[baseTokenId]! - endowment) : holdingIn(account, marketState).position.size;
    },
  };
}

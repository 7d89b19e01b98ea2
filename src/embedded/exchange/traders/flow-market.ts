// The market source of other traders in this process, who act at every step, with an oracle.
import type { Millis } from '../../../base/clock.ts';
import type { Rng } from '../../../base/rng.ts';
import { OrderBook } from '../book/matching.ts';
import { applyOracle } from '../rules/apply-oracle.ts';
import { Premium } from '../rules/funding/premium.ts';
import { STEP } from '../rules/step.ts';
import type { ExchangeState } from '../state/exchange-state.ts';
import type { MarketDriver, MarketSource } from '../state/market-source.ts';
import { type MarketState, mid } from '../state/market-state.ts';
import { attach } from './attach.ts';
import type { CreateFlow, MarketFlow } from './flow-port.ts';

/** Creates the source of a market. Without a flow there are no other traders, and the index changes only by `setIndex`. */
export function flowSource(flow: { readonly create: CreateFlow; readonly rng: Rng } | undefined, fundingEvery?: Millis): MarketSource {
  const terms = new Premium(fundingEvery);
  return {
    book: new OrderBook(),
    terms,
    confidence: 1e-4,
    open(state, marketState) {
      const act = flow === undefined ? undefined : traderStep(state, marketState, flow);
      return new FlowDriver({ state, marketState, premium: terms, act });
    },
  };
}

/** Returns a function that makes one step of the other traders and applies their oracle's price. */
function traderStep(state: ExchangeState, marketState: MarketState, { create, rng }: { create: CreateFlow; rng: Rng }): () => void {
  const { market, prices } = marketState;
  const ownRng = rng.fork(state.tokens[market.spec.baseTokenId]!.symbol); // one token has one index price, wherever it trades
  const flow: MarketFlow = create({ rng: ownRng, common: rng.fork('all markets'), market, basePrice: market.price(prices.index) });
  const port = attach(state, marketState, flow);
  return () => {
    flow.step(port);
    const { index, indexConf: conf } = flow;
    applyOracle(state, marketState, { index, conf });
  };
}

interface Parts {
  readonly state: ExchangeState;
  readonly marketState: MarketState;
  readonly premium: Premium;
  readonly act: (() => void) | undefined;
}

class FlowDriver implements MarketDriver {
  readonly next = Number.POSITIVE_INFINITY;
  readonly isIdleUntilNext = false;
  readonly inGap = false;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  follow(): void {
    // Traders act only at steps.
  }

  step(): void {
    const { state, marketState, premium, act } = this.#parts;
    if (act !== undefined && !marketState.frozen) act();
    marketState.prices.sample(mid(marketState), STEP);
    marketState.candles.see(marketState.prices.mark, state.now);
    premium.sample(marketState.prices);
  }
}

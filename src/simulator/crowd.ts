// A market of traders in this process: they act at every step, and an oracle with them.
import type { Rng } from '../base/rng.ts';
import type { CreateFlow, MarketFlow } from './flow-port.ts';
import { hear } from './hear.ts';
import type { House } from './house.ts';
import { OrderBook } from './matching.ts';
import { mid, type Pit } from './pit.ts';
import { Premium } from './premium.ts';
import { seat } from './seats.ts';
import type { Drive, Source } from './source.ts';
import { STEP } from './step.ts';

/** Without a flow nobody trades of himself, and the index moves only when it is set. */
export function crowdSource(flow: { readonly create: CreateFlow; readonly rng: Rng } | undefined): Source {
  const terms = new Premium();
  return {
    book: new OrderBook(),
    terms,
    doubt: 1e-4,
    open(house, pit) {
      const act = flow === undefined ? undefined : actor(house, pit, flow);
      return new CrowdDrive({ house, pit, premium: terms, act });
    },
  };
}

function actor(house: House, pit: Pit, { create, rng }: { create: CreateFlow; rng: Rng }): () => void {
  const { market, prices } = pit;
  const luck = rng.fork(house.tokens[market.spec.baseTokenId]!.symbol); // one token has one index price, wherever it trades
  const flow: MarketFlow = create({ rng: luck, market, basePrice: market.price(prices.index) });
  const port = seat(house, pit, flow);
  return () => {
    flow.step(port);
    const { index, indexConf: conf } = flow;
    hear(house, pit, { index, conf });
  };
}

interface Parts {
  readonly house: House;
  readonly pit: Pit;
  readonly premium: Premium;
  readonly act: (() => void) | undefined;
}

class CrowdDrive implements Drive {
  readonly next = Number.POSITIVE_INFINITY;
  readonly steady = false;
  readonly dark = false;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  follow(): void {
    // Traders act at steps alone.
  }

  step(): void {
    const { house, pit, premium, act } = this.#parts;
    if (act !== undefined && !pit.frozen) act();
    pit.prices.look(mid(pit), STEP);
    pit.candles.see(pit.prices.mark, house.now);
    premium.sample(pit.prices);
  }
}

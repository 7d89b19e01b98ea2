// The names of markets on surface A: BTC-PERP and SOL/USDC, where surface B says BTCUSDC and SOLUSDC-SPOT.
import { assert } from '../../base/assert.ts';
import { suggestion } from '../../base/nearest.ts';
import type { Market } from '../../domain/market.ts';
import type { Exchange } from '../../embedded/exchange.ts';
import { badRequest, Refused } from '../reply.ts';
import { known } from '../spelling.ts';

export class MarketNames {
  readonly #names: ReadonlyMap<Market, string>;
  readonly #markets: ReadonlyMap<string, Market>;

  constructor({ markets, tokens }: Exchange) {
    const nameOf = ({ spec: { kind, baseTokenId, quoteTokenId } }: Market): string => {
      const base = known(tokens[baseTokenId]).symbol;
      return kind === 'perp' ? `${base}-PERP` : `${base}/${known(tokens[quoteTokenId]).symbol}`;
    };
    this.#names = new Map(markets.map((market) => [market, nameOf(market)]));
    this.#markets = new Map(markets.map((market) => [nameOf(market), market]));
    assert(this.#markets.size === markets.length, 'two markets have one name on surface A');
  }

  of(market: Market): string {
    return known(this.#names.get(market));
  }

  /** The market that a client named; 404 where there is none. */
  find(name: string): Market {
    const market = this.#markets.get(name);
    if (market !== undefined) return market;
    throw new Refused(404, { message: `unknown market "${name}": ${suggestion(name, [...this.#markets.keys()])}` });
  }

  /** The same, where only a perpetual will do. */
  findFuture(name: string): Market {
    const market = this.find(name);
    if (market.spec.kind === 'spot') throw badRequest(`${name} is a spot market; expected a future`);
    return market;
  }

  /** The same path with every name in one segment: `/markets/SOL/USDC/trades` is what clients write who do not escape the slash. */
  inOneSegment(path: string): string {
    const [route = '', ...query] = path.split('?');
    const slashed = [...this.#markets.keys()].filter((name) => name.includes('/'));
    const escaped = slashed.reduce((text, name) => text.replace(`/${name}`, `/${encodeURIComponent(name)}`), route);
    return [escaped, ...query].join('?');
  }
}

// The names of markets in the local API: BTC-PERP and SOL/USDC, where the hosted API has BTCUSDC and SOLUSDC-SPOT.
import { assert } from '../../../base/errors.ts';
import { badRequest, RefusedRequest } from '../../../base/server/reply.ts';
import { suggestion } from '../../../base/text/phrases.ts';
import type { Market } from '../../../bot/domain/market.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { requireKnown } from '../reply-values.ts';

export class MarketNames {
  readonly #names: ReadonlyMap<Market, string>;
  readonly #markets: ReadonlyMap<string, Market>;

  constructor({ markets, tokens }: Exchange) {
    const nameOf = ({ spec: { kind, baseTokenId, quoteTokenId } }: Market): string => {
      const base = requireKnown(tokens[baseTokenId]).symbol;
      return kind === 'perp' ? `${base}-PERP` : `${base}/${requireKnown(tokens[quoteTokenId]).symbol}`;
    };
    this.#names = new Map(markets.map((market) => [market, nameOf(market)]));
    this.#markets = new Map(markets.map((market) => [nameOf(market), market]));
    assert(this.#markets.size === markets.length, 'two markets have the same name in the local API');
  }

  of(market: Market): string {
    return requireKnown(this.#names.get(market));
  }

  /** Returns the market that a client named; throws 404 if there is none. */
  find(name: string): Market {
    const market = this.#markets.get(name);
    if (market !== undefined) return market;
    throw new RefusedRequest(404, { message: `unknown market "${name}": ${suggestion(name, [...this.#markets.keys()])}` });
  }

  /** Returns the perpetual that a client named; throws 404 if there is none, 400 for a spot market. */
  findFuture(name: string): Market {
    const market = this.find(name);
    if (market.spec.kind === 'spot') throw badRequest(`${name} is a spot market; expected a future`);
    return market;
  }

  /** Escapes the slash in the names of markets in a path, because some clients write `/markets/SOL/USDC/trades`. */
  withEscapedNames(path: string): string {
    const [route = '', ...query] = path.split('?');
    const slashed = [...this.#markets.keys()].filter((name) => name.includes('/'));
    const escaped = slashed.reduce((text, name) => text.replace(`/${name}`, `/${encodeURIComponent(name)}`), route);
    return [escaped, ...query].join('?');
  }
}

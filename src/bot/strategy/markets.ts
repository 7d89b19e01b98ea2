// Finds the markets that a strategy trades, those named in its parameters, and checks their kinds.
import { UserError } from '../../base/errors.ts';
import type { Market, MarketKind } from '../domain/market.ts';
import type { Params } from './contract.ts';

/**
 * Returns the symbols in the parameters `market` and `markets`, and in every other text whose name ends in `Market` and list whose name ends in
 * `Markets`. Throws a UserError if there is none.
 */
export function marketsNamedIn(params: Params, strategy: string): readonly string[] {
  const named = marketsIn(params);
  if (named.length > 0) return named;
  throw new UserError({
    code: 'strategy',
    message: `the strategy ${strategy} has no parameter that names a market`,
    hint: "add `market: 'BTCUSDC'` to its defaults; names of further markets must end in Market, as hedgeMarket does; a list is called markets, or ends in Markets",
  });
}

/** As `marketsNamedIn`; empty if there is none. */
export function marketsIn(params: Params): readonly string[] {
  const named = Object.entries(params).flatMap(([key, value]) =>
    (/^market$|Market$/.test(key) && typeof value === 'string') || (/^markets$|Markets$/.test(key) && typeof value === 'object')
      ? [value].flat().map(String)
      : [],
  );
  return [...new Set(named)];
}

/** Throws a UserError if a market is of another kind than the strategy needs. */
export function checkKinds(markets: readonly Market[], wanted: Readonly<Record<string, MarketKind>>, strategy: string): void {
  for (const { symbol, spec } of markets) {
    const kind = wanted[symbol];
    if (kind === undefined || kind === spec.kind) continue;
    throw new UserError({
      code: 'market',
      message: `the strategy ${strategy} needs ${symbol} as a ${KINDS[kind]}, but it is a ${KINDS[spec.kind]}`,
      hint: `choose another market; if a tape has the wrong kind, import it again with --${kind}`,
    });
  }
}

const KINDS: Readonly<Record<MarketKind, string>> = { spot: 'spot market', perp: 'perpetual' };

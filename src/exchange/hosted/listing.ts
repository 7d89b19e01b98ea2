// The markets and tokens of the exchange, asked for once.
import { UserError } from '../../base/errors.ts';
import { suggestion } from '../../base/nearest.ts';
import type { Market } from '../../domain/market.ts';
import type { Token } from '../port.ts';
import type { Again } from '../start.ts';
import type { HostedClient } from './client.ts';
import { type Directory, marketOf } from './snapshots.ts';

export interface Listing {
  /** The ones to trade, in the order asked for. */
  readonly markets: readonly Market[];
  readonly directory: Directory;
  readonly tokens: readonly Token[];
}

/** GET /info, and the statistics of each market to trade, which tell perpetual from spot. UserError `market` for a symbol that is not listed. */
export async function listingOf(
  { client, again }: { readonly client: HostedClient; readonly again: Again },
  symbols: readonly string[],
): Promise<Listing> {
  const info = await again(() => client.info());
  const known = info.markets.map(({ symbol }) => symbol);
  const markets = await Promise.all(
    symbols.map(async (symbol) => {
      const row = info.markets.find((market) => market.symbol === symbol);
      if (row === undefined) {
        throw new UserError({ code: 'market', message: `the exchange has no market "${symbol}"`, hint: suggestion(symbol, known) });
      }
      const { perpStats } = await again(() => client.stats(row.marketId));
      return marketOf(row, perpStats === undefined ? 'spot' : 'perp');
    }),
  );
  const others = info.markets.map((row) => marketOf(row, 'perp')); // only to read what the account holds there; of what kind they are does not matter
  const tokens = info.tokens.map(({ tokenId, symbol, decimals, weightBps }) => ({ tokenId, symbol, decimals, weightBps }));
  return { markets, directory: new Map([...others, ...markets].map((market) => [market.id, market])), tokens };
}

// Whether ccxt states amounts of contracts in base tokens or in contracts. It differs by exchange, and ccxt does not say; read in its source, version 4.5.84.
import { UserError } from '../../../base/errors.ts';
import type { HistoryMarket } from './source.ts';

type Unit = 'tokens' | 'contracts';

interface Units {
  readonly candles?: Unit;
  readonly trades?: Unit;
}

/** By exchange. Where a contract is one token, as at most exchanges, both are the same. */
const UNITS: Readonly<Record<string, Units>> = {
  bitget: { candles: 'tokens' },
  blofin: { candles: 'tokens' },
  gate: { candles: 'contracts', trades: 'contracts' },
  htx: { candles: 'tokens' },
  mexc: { candles: 'contracts', trades: 'contracts' },
  myokx: { candles: 'tokens', trades: 'contracts' },
  okx: { candles: 'tokens', trades: 'contracts' },
  okxus: { candles: 'tokens', trades: 'contracts' },
};

/** Returns the unit of amounts in candles or trades of a market. Throws a UserError if it is not known. */
export function unitOf(exchange: string, market: HistoryMarket, of: keyof Units): Unit {
  if (market.contractSize === '1') return 'tokens';
  const unit = Object.hasOwn(UNITS, exchange) ? UNITS[exchange]?.[of] : undefined;
  if (unit !== undefined) return unit;
  throw new UserError({
    code: 'download',
    message: `a contract of ${market.name} is ${market.contractSize} tokens, and whether ccxt states the amounts of ${of} of ${exchange} in contracts or in tokens is not known`,
    hint:
      of === 'trades'
        ? 'leave --trades out'
        : 'choose a market of which a contract is one token, such as its spot market, or another exchange',
  });
}

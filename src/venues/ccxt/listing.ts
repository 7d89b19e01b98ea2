// The markets of a paper run, as ccxt lists them: tick, lot, least value and margins.
import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { UserError } from '../../base/errors.ts';
import { MAX_DECIMALS, Market, type MarketSpec } from '../../bot/domain/market.ts';
import type { Token } from '../../bot/exchange/port.ts';
import { gridOf } from '../shared/validate.ts';
import { type AmountKind, answerIn, type CcxtMarket, type listed, marketIn, unitOf, unknownUnit } from './markets.ts';

const TICK_SIZE = 4;
const DECIMAL_PLACES = 2;

const positive = z.number().positive();
const terms = z.object({
  base: z.string(),
  quote: z.string(),
  active: z.boolean().nullish(),
  precision: z.object({ price: z.number().nonnegative(), amount: z.number().nonnegative() }),
  limits: z
    .object({
      cost: z.object({ min: z.number().nullish() }).nullish(),
      leverage: z.object({ max: z.number().nullish() }).nullish(),
    })
    .nullish(),
});

/** The leverage that is assumed if the exchange does not list the highest one of a perpetual. */
const USUAL_LEVERAGE = 10;

/** A market to trade on paper, with what is needed to convert the answers about it. */
export interface PaperMarket extends CcxtMarket {
  readonly market: Market;
  readonly tokens: readonly Token[];
  /** Base tokens of one unit in which ccxt states amounts of books and trades. */
  readonly unit: { readonly books: Decimal; readonly trades: Decimal };
  readonly isActive: boolean;
  /** What is assumed of it, as parts of a sentence. */
  readonly assumed: readonly string[];
}

export interface PaperMarketOptions {
  /** The exchange's name in ccxt. */
  readonly exchange: string;
  readonly precisionMode: unknown;
  /** The place of the market among those of the run, which is its id. */
  readonly id: number;
  /** Hours between two payments of funding. */
  readonly fundingHours?: number | undefined;
}

/** Throws a UserError `market` for a market that is not listed, or that cannot be traded on paper. */
export function paperMarketIn(all: z.output<typeof listed>, wanted: string, options: PaperMarketOptions): PaperMarket {
  const { exchange, precisionMode, id, fundingHours } = options;
  const found = marketIn(all, wanted, exchange);
  const { base, quote, active, precision, limits } = answerIn(terms, all[wanted], exchange);
  const unit = (of: AmountKind): Decimal => new Decimal(knownUnit(exchange, found, of) === 'tokens' ? 1 : found.contractSize);
  const price = gridOf(stepOf(precision.price, { precisionMode, what: `prices of ${wanted}` }).toFixed());
  const lot = stepOf(precision.amount, { precisionMode, what: `sizes of ${wanted}` }).times(found.contractSize);
  // A market has at most MAX_DECIMALS decimals of price and size together: finer sizes are rounded down.
  const finest = new Decimal(10).pow(price.decimals - MAX_DECIMALS);
  const isCoarser = lot.decimalPlaces() + price.decimals > MAX_DECIMALS;
  const size = gridOf((isCoarser ? finest : lot).toFixed());
  const [baseTokenId, quoteTokenId] = [2 * id, 2 * id + 1];
  const leverage = limits?.leverage?.max ?? undefined;
  const margins = found.kind === 'spot' ? { imf: 1, mmf: 0.5 } : marginsAt(leverage ?? USUAL_LEVERAGE);
  const minNotional = positive.safeParse(limits?.cost?.min).data;
  const spec: MarketSpec = {
    id,
    symbol: wanted,
    kind: found.kind,
    baseTokenId,
    quoteTokenId,
    priceDecimals: price.decimals,
    sizeDecimals: size.decimals,
    ...(price.step !== 1 && { priceStep: price.step }),
    ...(size.step !== 1 && { sizeStep: size.step }),
    ...(minNotional !== undefined && { minNotional }),
    ...(fundingHours !== undefined && { fundingHours }),
    ...margins,
  };
  return {
    ...found,
    market: new Market(spec),
    tokens: [
      { tokenId: baseTokenId, symbol: base, decimals: size.decimals, weightBps: 0 },
      { tokenId: quoteTokenId, symbol: quote, decimals: 6, weightBps: 10_000 },
    ],
    unit: { books: unit('books'), trades: unit('trades') },
    isActive: active !== false,
    assumed: [
      ...(isCoarser ? [`sizes of ${wanted} are rounded down to ${finest.toFixed()}`] : []),
      ...(found.kind === 'perp'
        ? [`${wanted} has the margins of ${leverage ?? USUAL_LEVERAGE}x leverage${leverage === undefined ? ', as none is listed' : ''}`]
        : []),
    ],
  };
}

/** Maintenance margin is half of the initial one. */
const marginsAt = (leverage: number): Pick<MarketSpec, 'imf' | 'mmf'> => ({ imf: 1 / leverage, mmf: 1 / (2 * leverage) });

function knownUnit(exchange: string, market: CcxtMarket, of: AmountKind): 'tokens' | 'contracts' {
  const unit = unitOf(exchange, market, of);
  if (unit !== undefined) return unit;
  throw wrong(unknownUnit(exchange, market, of), 'choose a market of which a contract is one token, such as its spot market');
}

/** The step that a precision of ccxt means. */
function stepOf(precision: number, { precisionMode, what }: { precisionMode: unknown; what: string }): Decimal {
  if (precisionMode === DECIMAL_PLACES) return new Decimal(10).pow(-precision);
  if (precisionMode === TICK_SIZE && precision > 0) return new Decimal(precision);
  throw wrong(
    `ccxt states no step for ${what}${precisionMode === TICK_SIZE ? '' : ', only significant digits'}, so orders cannot be rounded`,
    'choose another exchange',
  );
}

const wrong = (message: string, hint: string): UserError => new UserError({ code: 'market', message, hint });

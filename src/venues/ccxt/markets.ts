// The markets of an exchange as ccxt lists them, by unified names (`BTC/USDT` is spot, `BTC/USDT:USDT` a perpetual), and the units of their amounts.
import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { UserError } from '../../base/errors.ts';
import { suggestion } from '../../base/text/phrases.ts';
import type { MarketKind } from '../../bot/domain/market.ts';

export const listed = z.record(z.string(), z.unknown());

const row = z.object({
  id: z.string(),
  type: z.string().nullish(),
  spot: z.boolean().nullish(),
  swap: z.boolean().nullish(),
  inverse: z.boolean().nullish(),
  contractSize: z.number().nullish(),
});

/** A spot market, or a linear perpetual. */
export interface CcxtMarket {
  readonly name: string;
  /** The exchange's own name of it. */
  readonly id: string;
  readonly kind: MarketKind;
  /** Base tokens of one contract, as a decimal; 1 for a spot market. */
  readonly contractSize: string;
}

const NAMES = 'names are as in ccxt: BTC/USDT is a spot market, BTC/USDT:USDT a perpetual';

/** A name as other exchanges write it, BTCUSDC, is answered with the perpetual and the spot market of the same tokens. */
function hintForName(wanted: string, names: readonly string[]): string {
  const same = names.filter((name) => name.replace('/', '').split(':')[0] === wanted.replace(/-SPOT$/, ''));
  const perpetualsFirst = same.toSorted((a, b) => Number(b.includes(':')) - Number(a.includes(':'))).slice(0, 2);
  if (perpetualsFirst.length === 0) return suggestion(wanted, names, NAMES);
  return `did you mean ${perpetualsFirst.map((name) => JSON.stringify(name)).join(' or ')}? ${NAMES}`;
}

/** `exchange`: its name in ccxt. Throws a UserError `market` for a market that is not listed, or that a tape cannot hold. */
export function marketIn(all: z.output<typeof listed>, wanted: string, exchange: string): CcxtMarket {
  if (!Object.hasOwn(all, wanted)) throw wrong(`${exchange} has no market "${wanted}"`, hintForName(wanted, Object.keys(all)));
  const { id, type, spot, swap, inverse, contractSize } = answerIn(row, all[wanted], exchange);
  if (swap !== true && spot !== true)
    throw wrong(`${wanted} is a market of another kind (${type ?? 'unknown'}) than spot and perpetual`, 'a tape holds these two only');
  if (inverse === true)
    throw wrong(
      `${wanted} is an inverse contract: its sizes count quote money, and its profit is paid in the base token; a tape holds linear markets only`,
      'choose the linear market, as in BTC/USDT:USDT',
    );
  return { name: wanted, id, kind: swap === true ? 'perp' : 'spot', contractSize: swap === true ? plain(contractSize ?? 1) : '1' };
}

/** The shortest decimal that is this number, without an exponent. */
export function plain(value: number): string {
  const text = String(value);
  return text.includes('e') ? new Decimal(value).toFixed() : text;
}

/** Returns the answer in its shape. An answer of another shape than ccxt documents counts as no answer: throws an Error. */
export function answerIn<S extends z.ZodType>(shape: S, answer: unknown, exchange: string): z.output<S> {
  const result = shape.safeParse(answer);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Error(`${exchange} answered with another shape: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

const wrong = (message: string, hint: string): UserError => new UserError({ code: 'market', message, hint });

const features = z.object({ spot: z.unknown(), swap: z.object({ linear: z.unknown() }).nullish() });
const pageLimit = z
  .object({ fetchOHLCV: z.object({ limit: z.number().int().positive() }) })
  .transform(({ fetchOHLCV }) => fetchOHLCV.limit);

/** The candles of one answer that are assumed if ccxt does not state the number. */
const CANDLES_A_PAGE = 500;

/** Returns the maximum number of candles in one answer. `known`: the features of the exchange in ccxt. */
export function candlesAPage(known: unknown, { kind }: Pick<CcxtMarket, 'kind'>): number {
  const all = features.safeParse(known).data;
  return pageLimit.safeParse(kind === 'spot' ? all?.spot : all?.swap?.linear).data ?? CANDLES_A_PAGE;
}

/**
 * The unit of amounts in ccxt: base tokens, or contracts. It differs by exchange and is not documented; taken from the source of ccxt 4.5.84.
 */
export type Unit = 'tokens' | 'contracts';
export type AmountKind = 'candles' | 'trades' | 'books';

/** By exchange. Where a contract is one token, as at most exchanges, both are the same. */
const UNITS: Readonly<Record<string, Partial<Readonly<Record<AmountKind, Unit>>>>> = {
  bitget: { candles: 'tokens' },
  blofin: { candles: 'tokens' },
  gate: { candles: 'contracts', trades: 'contracts', books: 'contracts' },
  htx: { candles: 'tokens' },
  mexc: { candles: 'contracts', trades: 'contracts', books: 'contracts' },
  myokx: { candles: 'tokens', trades: 'contracts', books: 'contracts' },
  okx: { candles: 'tokens', trades: 'contracts', books: 'contracts' },
  okxus: { candles: 'tokens', trades: 'contracts', books: 'contracts' },
};

/** Returns the unit of amounts of a market; undefined if it is not known. */
export function unitOf(exchange: string, { contractSize }: Pick<CcxtMarket, 'contractSize'>, of: AmountKind): Unit | undefined {
  if (contractSize === '1') return 'tokens';
  return Object.hasOwn(UNITS, exchange) ? UNITS[exchange]?.[of] : undefined;
}

/** Returns the words of a message for amounts whose unit `unitOf` does not know. */
export const unknownUnit = (exchange: string, { name, contractSize }: Pick<CcxtMarket, 'name' | 'contractSize'>, of: AmountKind): string =>
  `a contract of ${name} is ${contractSize} tokens, and it is not known whether ccxt states the amounts of ${of} of ${exchange} in contracts or in tokens`;

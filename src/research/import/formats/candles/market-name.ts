// Compares and reads the names that exchanges and files give a market. BTC/USDT:USDT, BTC-USD, btcusdt and BTC are one market.
import type { MarketKind } from '../../../../bot/domain/market.ts';

const DOLLARS = ['USDT', 'USDC', 'FDUSD', 'BUSD', 'TUSD', 'USDE', 'USD', 'DAI'];
const OTHERS = ['EUR', 'GBP', 'JPY', 'TRY', 'BRL', 'KRW', 'BTC', 'ETH', 'BNB'];

interface NameParts {
  readonly base: string;
  /** `USD` for every token that is worth a dollar; undefined if the name has none. */
  readonly quote: string | undefined;
}

/** A market in units of many tokens: 1000PEPE, kPEPE. */
const MULTIPLE = /^(?:10{2,}|k(?=[A-Z]{3}))/;

function partsOf(name: string): NameParts {
  const plain = name
    .replace(MULTIPLE, '')
    .replace(/:.*$/, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/(PERP|SWAP)$/, '');
  const quote = [...DOLLARS, ...OTHERS].find((known) => plain.endsWith(known) && plain.length > known.length);
  const base = quote === undefined ? plain : plain.slice(0, -quote.length);
  return { base: base === 'XBT' ? 'BTC' : base, quote: quote !== undefined && DOLLARS.includes(quote) ? 'USD' : quote };
}

/** Returns the base token of a market's name: BTC for `BTCUSDT`. */
export const baseOf = (market: string): string => partsOf(market).base;

/** True if two names can mean one market. All tokens worth a dollar count as the same quote. */
export function isSameMarket(one: string, other: string): boolean {
  const [a, b] = [partsOf(one), partsOf(other)];
  return a.base === b.base && (a.quote === undefined || b.quote === undefined || a.quote === b.quote);
}

const ONE_WORD = new RegExp(`^[A-Z0-9]{2,10}(${[...DOLLARS, ...OTHERS].join('|')})(PERP|SWAP)?$`);
const LOWER_WORD = /^[a-z0-9]{2,10}(usdt|usdc|busd|usd)(perp)?$/;
const BASE_WORD = /^[A-Z0-9]{2,10}$/;

/** Returns the market in a file name, as in `BTCUSDT-1h-2024-01.csv`, `BTC_USDT-5m.json` or `BTC-USD.csv`; undefined if there is none. */
export function marketInFileName(name: string): string | undefined {
  const words = name.split(/[^A-Za-z0-9]+/);
  const pair = words.findIndex((word, index) => BASE_WORD.test(word) && /[A-Z]/.test(word) && isQuote(words[index + 1]));
  if (pair >= 0) return `${words[pair]}/${words[pair + 1]}`;
  return words.find((word) => (ONE_WORD.test(word) && /^\d*[A-Z]/.test(word)) || LOWER_WORD.test(word));
}

const isQuote = (word: string | undefined): boolean => word !== undefined && [...DOLLARS, ...OTHERS].includes(word);

/** A settlement token, or a word for a perpetual. */
const OF_PERPETUALS = /^[A-Z0-9]+[/_][A-Z0-9]+:[A-Z0-9]+$|(^|[^A-Z])(PERP|PERPETUAL|SWAP|FUTURES?)(?![A-Z])|\d*[A-Z]{3,}PERP\b/i;
/** A pair with a slash, or the word spot. */
const OF_SPOT = /^[A-Z0-9]+\/[A-Z0-9]+$|(^|[^A-Z])SPOT(?![A-Z])/i;

/** Returns the kind that a name of a market or a file states, as in `BTC/USDT`, `BTC/USDT:USDT`, `SOL-SPOT` or `BTC-PERP`; undefined if it states none. */
export function kindInName(name: string): MarketKind | undefined {
  if (OF_PERPETUALS.test(name)) return 'perp';
  return OF_SPOT.test(name) ? 'spot' : undefined;
}

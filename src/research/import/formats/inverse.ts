// Recognises inverse contracts, whose sizes are in quote money and whose profit is paid in the base token. A tape can hold linear markets only.
import type { ImportFormat } from './formats.ts';

/** Names of inverse contracts by venue. A name from Tardis is `<exchange> <symbol>`. */
const NAMES: Readonly<Partial<Record<ImportFormat, readonly RegExp[]>>> = {
  binance: [/USD(_PERP|_\d{6})$/],
  tardis: [
    /^binance-delivery /,
    /^bitmex (?!.*USD[TC])/,
    /^bybit \w*USD([HMUZ]\d\d)?$/,
    /^cryptofacilities (PI|FI)_/i,
    /^deribit (?!.*USD[TC])/,
    /^gate-io-futures \w*_USD$/,
    /^huobi-dm(-swap|-options)? /,
    /^okex-(swap|futures|options) .*-USD-/,
  ],
};

/** True if the exchange's name of a market is that of a known inverse contract. */
export const isInverse = (from: ImportFormat, symbol: string | undefined): boolean =>
  symbol !== undefined && (NAMES[from]?.some((name) => name.test(symbol)) ?? false);

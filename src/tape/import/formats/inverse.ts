// Contracts that are not linear: counted in quote money and paid in the base token, as a tape's markets are not.
import type { ImportFormat } from './formats.ts';

/** By how venues name them; a name under Tardis is `<exchange> <symbol>`. */
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

/** Whether the exchange's name of a market is known to be that of such a contract. */
export const isInverse = (from: ImportFormat, symbol: string | undefined): boolean =>
  symbol !== undefined && (NAMES[from]?.some((name) => name.test(symbol)) ?? false);

// The sources of history by their names on the command line.
import { systemClock } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { rngFrom } from '../../../base/rng.ts';
import { httpTransport, transportsByOrigin } from '../../../base/transport/http.ts';
import type { AdapterLog } from '../../../bot/exchange/port.ts';
import { type Ccxt, loadCcxt } from '../../../venues/ccxt/library.ts';
import { ADDRESSES } from '../../../venues/hyperliquid/rules.ts';
import { ccxtSource } from './ccxt.ts';
import { hyperliquidSource } from './hyperliquid.ts';
import type { HistorySource } from './source.ts';

export interface SourceOptions {
  /** Replaces the exchange's address: scheme, host and port. The exchange's limits of requests do not apply there. */
  readonly url?: string | undefined;
  readonly log: AdapterLog;
  /** Default: the installed package. */
  readonly load?: (() => Promise<Ccxt>) | undefined;
}

/** `hyperliquid` or `ccxt:NAME`. Throws a UserError for another name, and if a library is missing. */
export async function historySourceOf(from: string, { url, log, load = () => loadCcxt() }: SourceOptions): Promise<HistorySource> {
  const tools = { clock: systemClock, rng: rngFrom(from), log };
  const [library, name] = from.split(':', 2);
  if (library === 'ccxt' && name !== undefined && name !== '')
    return ccxtSource({ ...tools, ccxt: await load(), name, url, transports: transportsByOrigin(1) });
  const transport = () => httpTransport({ origin: url ?? ADDRESSES.mainnet, connections: 1 });
  if (from === HYPERLIQUID) return hyperliquidSource({ ...tools, transport: transport(), paced: url === undefined });
  throw new UserError({
    code: 'option',
    message: `--from "${from}" is not a source of history`,
    hint: 'write hyperliquid, or ccxt: and the name of an exchange, as in ccxt:binance',
  });
}

const HYPERLIQUID = 'hyperliquid';

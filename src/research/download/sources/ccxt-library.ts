// The part of the library ccxt that downloads use, and how it is loaded: it is optional, pinned to one version, and never given a key.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';
import { messageOf, UserError } from '../../../base/errors.ts';
import { BUILT } from '../../../base/package.ts';
import { readJson } from '../../../base/text/json.ts';
import { packageOf } from '../../tapes/sources.ts';

/** The version that this program was tested with, as in package.json. */
const VERSION = '4.5.84';
/** In the repository, npm installs a peer dependency as one of development only. */
const INSTALL = `npm install ${BUILT ? '' : '--no-save --save-dev '}ccxt@${VERSION}`;

/** An instance of an exchange. Answers are checked where they are used. */
export interface CcxtExchange {
  readonly id: string;
  readonly has: Readonly<Record<string, unknown>>;
  readonly timeframes?: Readonly<Record<string, unknown>> | undefined;
  readonly features?: unknown;
  readonly urls: { api: unknown };
  enableRateLimit: boolean;
  loadMarkets(): Promise<unknown>;
  fetchTime(): Promise<unknown>;
  fetchOHLCV(symbol: string, timeframe: string, since: number, limit: number): Promise<unknown>;
  fetchFundingRateHistory(symbol: string, since: number, limit: number): Promise<unknown>;
  fetchTrades(symbol: string, since: number): Promise<unknown>;
}

export interface Ccxt {
  readonly version: string;
  /** Names of the exchanges. */
  readonly exchanges: readonly string[];
  create(name: string): CcxtExchange;
  /** True if the same question may be answered later. */
  isTemporary(error: unknown): boolean;
}

type Module = Readonly<Record<string, unknown>>;
type ErrorClass = abstract new () => Error;

/** `name`: the package, as text, because the compiler would look for one that may not be there. Throws a UserError that says what to install if ccxt is missing or of another version. */
export async function loadCcxt(name = 'ccxt'): Promise<Ccxt> {
  const loaded = (await packageOf(`ccxt@${VERSION}`, () => import(name), INSTALL)) as Module & { readonly default?: Module };
  const version = installedVersion();
  if (version !== VERSION)
    throw new UserError({
      code: 'option',
      message: `ccxt ${version} is installed; this program was tested with ${VERSION}, and other versions are not used`,
      hint: `type: ${INSTALL}`,
    });
  return ccxtOf(loaded.default ?? loaded, version);
}

/** The version in its package.json. The library's own `version` may be an earlier one. */
function installedVersion(): string {
  try {
    const main = createRequire(import.meta.url).resolve('ccxt');
    const text = readFileSync(main.replace(/([\\/]ccxt[\\/]).*$/, '$1package.json'), 'utf8');
    return z.object({ version: z.string() }).parse(readJson(text, { maxBytes: 1 << 20, maxDepth: 16 })).version;
  } catch (error) {
    throw new UserError({
      code: 'option',
      message: `the version of ccxt cannot be read: ${messageOf(error)}`,
      hint: `type: ${INSTALL}`,
    });
  }
}

/** `module`: the library. Its error classes say whether an error is temporary. */
export function ccxtOf(module: Module, version: string): Ccxt {
  const temporary = module['OperationFailed'] as ErrorClass;
  return {
    version,
    exchanges: module['exchanges'] as readonly string[],
    create(name) {
      const Exchange = module[name] as new (options: object) => CcxtExchange;
      return new Exchange({ enableRateLimit: true });
    },
    isTemporary: (error) => error instanceof temporary,
  };
}

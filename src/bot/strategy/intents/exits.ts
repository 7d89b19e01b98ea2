// Converts a strategy's stops and profit targets to intents. Throws an error that names an invalid number.
import { EXIT_SLIPPAGE_BPS, type Exit, type ExitRule } from '../../domain/intent.ts';
import type { Market } from '../../domain/market.ts';

/** Where an exit is: a price in quote money, or a distance in basis points. */
export type ExitAt = { readonly price: number } | { readonly bps: number };

/** The arguments that all stops share. */
export interface StopRequest {
  /** Maximum distance beyond the best price at which a triggered stop takes, in basis points. Default 50. The rest is retried in the next turn. */
  readonly maxSlippageBps?: number;
}

/** The argument of `bracket`: distances from the entry, in basis points. */
export interface BracketRequest extends StopRequest {
  readonly stopLossBps: number;
  readonly takeProfitBps: number;
}

/** The exits of one market, for the position that is held. A turn may return them beside one quote or target of the market. */
export interface Exits {
  /** Makes an intent: the position is closed when the mark price has reached a price, or has moved `bps` against the position from its entry. */
  readonly stopLoss: (request: ExitAt & StopRequest) => Exit;
  /** Makes an intent: the position is closed when the mark price has fallen by `bps` from its best since the entry (for a short: risen). */
  readonly trailingStop: (request: { readonly bps: number } & StopRequest) => Exit;
  /** Makes an intent: an order for the whole position rests at a price, or `bps` from the entry in its favour. */
  readonly takeProfit: (request: ExitAt) => Exit;
  /** Makes an intent: a stop loss and a take profit in one. */
  readonly bracket: (request: BracketRequest) => Exit;
}

/** Returns the functions of `Exits`, which do not depend on `this`, so that they can be destructured. */
export function exiter(market: Market): Exits {
  const exit = (rules: readonly ExitRule[], { maxSlippageBps = EXIT_SLIPPAGE_BPS }: StopRequest = {}): Exit => {
    if (!(maxSlippageBps >= 0 && maxSlippageBps < 10_000))
      throw wrong(market, 'maxSlippageBps', { value: maxSlippageBps, expected: 'a number from 0 to below 10000' });
    return { kind: 'exit', market: market.id, rules, maxSlippageBps };
  };
  const at = (request: ExitAt, name: ExitRule['exit']): ExitRule =>
    'price' in request
      ? { exit: name, price: above(request.price, `the price of the ${named(name)}`, market) }
      : { exit: name, bps: above(request.bps, `the bps of the ${named(name)}`, market) };
  return {
    stopLoss: (request) => exit([at(request, 'stop-loss')], request),
    trailingStop: (request) => exit([at({ bps: request.bps }, 'trailing-stop')], request),
    takeProfit: (request) => exit([at(request, 'take-profit')]),
    bracket: (request) => exit([at({ bps: request.stopLossBps }, 'stop-loss'), at({ bps: request.takeProfitBps }, 'take-profit')], request),
  };
}

const named = (name: ExitRule['exit']): string => name.replace('-', ' ');

function above(value: number, what: string, market: Market): number {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
  throw wrong(market, what, { value, expected: 'a number above zero' });
}

const wrong = (market: Market, what: string, { value, expected }: { value: unknown; expected: string }): Error =>
  new Error(`${market.symbol}: ${what} is ${String(value)}; ${expected} is expected`);

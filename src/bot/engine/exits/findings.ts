// The findings about exits: the price at which one was triggered, the price at which it closed the position, and the suspended side.

import { opposite } from '../../domain/book.ts';
import { lots } from '../../domain/numbers.ts';
import type { Finding } from '../../domain/turn.ts';
import type { Rejection } from '../../risk/guard.ts';
import type { TriggeredExit } from '../../world/position/exit-state.ts';
import type { ExitFacts } from './exit-facts.ts';

const WORDS = { 'stop-loss': 'stop loss', 'trailing-stop': 'trailing stop', 'take-profit': 'take profit' } as const;

/** Reports that the price has reached an exit, or that its order is being filled. */
export function triggerFinding({ exit, side, price, seen, size }: TriggeredExit, { market }: ExitFacts): Finding {
  const closes = `${side === 'bid' ? 'long' : 'short'} ${market.size(lots(size))}`;
  const reason =
    exit === 'take-profit'
      ? `the take profit at ${shown(price)} is being filled; it closes ${closes}`
      : `the price ${shown(seen)} has reached the ${WORDS[exit]} at ${shown(price)}${gapText(seen - price, price)}; closing ${closes}`;
  return { guard: 'exit', market: market.id, side: opposite(side), verdict: 'close', reason };
}

/** Reports the average price when an exit is complete. */
export function endFindings({ exit, side, price, filled, cost }: TriggeredExit, { market }: ExitFacts): readonly Finding[] {
  if (filled === 0) return [];
  const average = cost / filled;
  const reason = `the ${WORDS[exit]} at ${shown(price)} closed ${market.size(lots(filled))} at ${shown(average)} on average${gapText(average - price, price)}`;
  return [{ guard: 'exit', market: market.id, side: opposite(side), verdict: 'close', reason }];
}

const gapText = (gap: number, price: number): string => {
  const bps = Math.abs((gap / price) * 1e4);
  return bps < 0.05 ? '' : `, ${bps.toFixed(1)} bps ${gap < 0 ? 'below' : 'above'} it`;
};

const shown = (price: number): string => String(Number(price.toPrecision(10)));

/** Reports that orders of the exit's side are suspended. */
export function suspension({ exit, side, price }: TriggeredExit, { market }: ExitFacts): Rejection {
  const reason = (): string =>
    `the ${WORDS[exit]} at ${shown(price)} has closed the position, or is closing it; orders of this side are suspended until the strategy returns none of them in a turn`;
  return { guard: 'exit', market: market.id, side, verdict: 'refuse', reason };
}

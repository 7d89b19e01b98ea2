// The backtest of the tape of a paper run, and the fills of a turn.
import { join } from 'node:path';
import type { Fill } from '../../../src/bot/domain/order.ts';
import type { Turn } from '../../../src/bot/domain/turn.ts';
import type { Params, Strategy } from '../../../src/bot/strategy/contract.ts';
import { DEFAULT_FUNDS } from '../../../src/embedded/exchange/state/listing.ts';
import type { PaperAssumptions } from '../../../src/embedded/paper/options.ts';
import { openTape } from '../../../src/embedded/tape/reader.ts';
import type { BacktestOptions } from '../../../src/research/backtest/backtest.ts';
import { ASSUMPTIONS, type Played, played } from '../backtest/played.ts';
import type { PaperStage } from './paper-stage.ts';

/** Plays the tape of a run with the same strategy and the same seed. */
export async function replayed(
  stage: PaperStage,
  strategy: Strategy<Params>,
  assumed: PaperAssumptions = {},
  past?: BacktestOptions['past'],
): Promise<Played> {
  const { latency = { kind: 'recorded' }, queue = ASSUMPTIONS.queue, fees, deposit = DEFAULT_FUNDS } = assumed;
  const tape = await openTape(join(stage.directory, 'market.tape'));
  const result = await played([tape], strategy, { seed: 'paper', assumptions: { ...ASSUMPTIONS, latency, queue }, fees, deposit, past });
  await tape.close();
  return result;
}

export const fillsIn = ({ events }: Turn): readonly Fill[] => events.flatMap((event) => (event.kind === 'fillsSeen' ? event.fills : []));

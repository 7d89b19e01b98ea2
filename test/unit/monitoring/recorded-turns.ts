// The turns of a minute of the grid strategy at the embedded exchange, as a state directory holds them; made once.
import { Market } from '../../../src/bot/domain/market.ts';
import type { Turn } from '../../../src/bot/domain/turn.ts';
import { readHeader } from '../../../src/bot/run/state/turn-recording.ts';
import { virtualRun } from '../../replay/virtual-run.ts';

export interface RecordedTurns {
  readonly markets: readonly Market[];
  readonly turns: readonly Turn[];
}

export async function recordedTurns(seconds = 60): Promise<RecordedTurns> {
  const { recording } = await virtualRun({ strategy: 'grid', seed: 'page', seconds });
  return turnsIn(recording);
}

/** The lines of a recording; the first is its header. */
export function turnsIn([head = '', ...lines]: readonly string[]): RecordedTurns {
  const markets = readHeader(head).markets.map((spec) => new Market(spec));
  return { markets, turns: lines.map((line) => JSON.parse(line) as Turn) };
}

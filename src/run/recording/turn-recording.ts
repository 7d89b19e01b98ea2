// The recording of a run: enough to repeat every turn and get the same bytes.
import type { Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { Market, type MarketSpec } from '../../domain/market.ts';
import type { Turn } from '../../domain/turn.ts';
import { assemble, type Parts } from '../core/assemble.ts';
import type { History } from '../state/history.ts';

const VERSION = 2;

/** The first line of a recording. Each line after it is one turn as JSON. */
export interface RecordingHeader {
  readonly kind: 'recording';
  readonly version: typeof VERSION;
  readonly strategy: string;
  readonly params: unknown;
  readonly limits: unknown;
  readonly seed: string;
  readonly startedAt: Millis;
  readonly markets: readonly MarketSpec[];
  readonly history: History;
  readonly foreign?: Parts['foreign'];
  /** True for a live run; passed to `rulesFrom`. */
  readonly live?: boolean | undefined;
  /** Of the exchange's rules, if they state it. */
  readonly orderLife?: number | undefined;
}

export const headerText = (header: Omit<RecordingHeader, 'kind' | 'version'>): string =>
  JSON.stringify({ kind: 'recording', version: VERSION, ...header });
export const turnText = (turn: Turn): string => JSON.stringify(turn);

export function readHeader(line: string): RecordingHeader {
  const header = JSON.parse(line) as RecordingHeader;
  if (header.kind !== 'recording' || header.version !== VERSION)
    throw new UserError({ code: 'recording', message: `not a recording of version ${VERSION}` });
  return header;
}

/** Repeats the recorded events and yields each resulting turn as text, in the form of the recording. */
export function* replay(
  lines: Iterable<string>,
  { header, decide, rules }: { header: RecordingHeader } & Pick<Parts, 'decide' | 'rules'>,
): Iterable<string> {
  const { history, startedAt, foreign, orderLife } = header;
  const { engine } = assemble({
    markets: header.markets.map((spec) => new Market(spec)),
    history,
    startedAt,
    decide,
    rules,
    foreign,
    orderLife,
  });
  for (const line of lines) yield turnText(engine.step(...(JSON.parse(line) as Turn).events));
}
